import pytest


@pytest.mark.parametrize(
    "text",
    [
        "<#> ⟦482913⟧ is your code. Never share",
        "Use ⟦482913⟧ to verify your account",
        "Enter ⟦482 913⟧ to sign in",
        "they texted me ⟦482913⟧, is that the code?",
        "the code they texted me is ⟦482913⟧",
        "I got a code ⟦482913⟧ from the bank",
        "Transaction code ⟦482913⟧. If not you, call us",
        "Your Uber code: ⟦4829⟧. Never share this code.",
        "my authenticator shows ⟦482 913⟧",
        "输入⟦482913⟧完成登录",
        "取件码 ⟦3-2-4829⟧",
        "動態密碼：⟦482913⟧",
    ],
)
def test_codes_that_were_sent_are_found(expect, text: str) -> None:
    expect(text, "OTP")


@pytest.mark.parametrize(
    "text",
    [
        "use 482913 points to upgrade",
        "use 2026 to verify the formula",
        "enter 1000 to continue",
        "I sent 25000 letters about the code",
        "we sent 12345 emails and logs",
        "it took 20000 to confirm the result",
        "dress code: 1920 style, share it",
        "exit code 1370 if it wasn't you",
        "got a code 500 error",
        "输入1000完成任务",
        "输入20000字登录后提交",
        "验证码60秒后重发，有效期10分钟",
    ],
)
def test_other_numbers_with_codes_stay(expect, text: str) -> None:
    expect(text)
