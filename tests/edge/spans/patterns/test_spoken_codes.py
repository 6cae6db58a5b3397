"""Codes that are spelled out, and number words that are none."""

import pytest


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("my pin is ⟦four two seven one⟧", "PIN"),
        ("My PIN's ⟦four, two, seven, one⟧ ok", "PIN"),
        ("the pin code for my card is ⟦nine-eight-zero-three⟧", "PIN"),
        ("door code: ⟦five five one nine⟧", "PIN"),
        ("the alarm code is now ⟦double four one nine⟧.", "PIN"),
        ("the safe combination is ⟦twelve thirty-four fifty six⟧", "PIN"),
        ("code for the garage is ⟦oh four two seven⟧", "PIN"),
        ("my pin is ⟦forty-two seventy-one⟧", "PIN"),
        ("the verification code is ⟦four eight two nine one zero⟧", "OTP"),
        ("PIN码：⟦四 二 七 一⟧", "PIN"),
        ("门禁密码是⟦五、五、幺、九⟧，别忘了", "PIN"),
        ("取款密码是⟦四二七一⟧", "PIN"),
        ("验证码是⟦四 八 二 九 一 零⟧", "OTP"),
    ],
)
def test_spelled_out_codes(expect, text: str, kind: str) -> None:
    expect(text, kind)


@pytest.mark.parametrize(
    "text",
    [
        "my pin is one of the few things I remember",
        "my pin was four digits two years ago",
        "my pin is one two three four digits long",
        "a pin is four to six digits",
        "connect pin one, two, three and four to ground",
        "the pin was two three times wrong",
        "the area code is four one five",
        "the error code is five zero three four",
        "one two three four, said the singer",
        "the code is in chapter twenty one",
        "PIN码由四位数字组成",
        "密码，一、二、三、四都试过",
    ],
)
def test_other_number_words_stay(expect, text: str) -> None:
    expect(text)
