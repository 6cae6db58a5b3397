import pytest


@pytest.mark.parametrize(
    "text",
    [
        "write to ⟦ines.varga@example.com⟧.",
        "old ⟦lena@xn--mnchen-3ya.example⟧ new ⟦lena@münchen.example⟧",
        "请发送到⟦zhang@example.com⟧查收",
        "发到⟦lisi@例子.中国⟧吧",
        "連絡は⟦mirai.fake@example.jp⟧で",
        "[Mail](mailto:⟦otto.brandt@example.com⟧?subject=Boat)",
        "<⟦a+b@mail.example.co.uk⟧>",
        "https://crm.example.com/u/⟦ines.varga@example.com⟧/edit?tab=2",
        "?to=⟦ines.varga%40example.com⟧&x=1",
        "⟦john [at] example [dot] com⟧ is mine",
        "reach ⟦john at example dot com⟧",
        "full width ⟦ｌｅｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ⟧ here",
    ],
)
def test_mail_addresses_are_found(expect, text: str) -> None:
    expect(text, "EMAIL")


@pytest.mark.parametrize(
    "text",
    [
        "npm i @acme/ui@1.2.3",
        "git clone git@code.example.com:acme/ui.git",
        "icon@2x.png and a@b",
        "@app.route('/x')",
        "const EMAIL_PATTERN = /[a-z]+@[a-z]+/;",
        "email_field = 'email'",
        "meet me at the dot on the map",
    ],
)
def test_what_only_looks_like_mail_stays(expect, text: str) -> None:
    expect(text)


def test_profile_pages_and_handles(expect) -> None:
    expect("I am ⟦https://www.linkedin.com/in/lena-k-1234⟧ there", "PROFILE_URL")
    expect("see https://www.linkedin.com/company/acme and https://github.com/acme/ui")
    expect("my twitter handle is ⟦@lena_k⟧", "USERNAME")
    expect("我的微信号：⟦lena_wx88⟧，QQ：⟦23456789⟧", "USERNAME")
    expect("twitter is a site, telegram was slow")
