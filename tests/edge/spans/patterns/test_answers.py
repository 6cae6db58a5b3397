import pytest


@pytest.mark.parametrize(
    ("text", "entity_type"),
    [
        ("what is your password?\n⟦hunter2⟧", "PASSWORD"),
        ("A: what's the wifi pw?\nB: it's ⟦Sun-flower99⟧", "PASSWORD"),
        ("密码是多少？\n我：⟦Xia0mao#88⟧", "PASSWORD"),
        ("what's the pin?\n⟦4 8 1 5⟧", "PIN"),
        ("did you get the code?\n⟦482913⟧", "OTP"),
        ("收到验证码了吗？\n收到了，⟦482913⟧", "OTP"),
    ],
)
def test_a_value_alone_below_the_question_is_found(expect, text: str, entity_type: str) -> None:
    expect(text, entity_type)


@pytest.mark.parametrize(
    "text",
    [
        "what is a password?\nA password is a secret word.",
        "what's the wifi password?\nno idea",
        "is the code right?\nyes",
        "which password?\nprocess.env.PASSWORD",
        "is the pin 13 used?\n3 boards",
        "password: settings.db.password",
        "2024是我的幸运年",
    ],
)
def test_a_sentence_or_a_word_is_no_answer(expect, text: str) -> None:
    expect(text)


@pytest.mark.parametrize(
    ("text", "entity_type"),
    [
        ("my pаsswоrd is ⟦Tiger-9x⟧", "PASSWORD"),
        ("раssword: ⟦Tiger-9x⟧", "PASSWORD"),
        ("my pin is ⟦4 8 1 5⟧ ok", "PIN"),
        ("pin is ⟦48 15⟧", "PIN"),
        ("支付密码六位⟦31-68-10⟧，别说", "PIN"),
        ("⟦288284⟧是门禁PIN", "PIN"),
        ("登录密码：⟦maple.bean.ninja⟧，对吗", "PASSWORD"),
        ("my scratch codes:\n\n⟦y4xpdvdp9m / ezj515kmqj / cq0ovlsmoi⟧", "OTP"),
        ("恢复码是⟦g3qu-mukp; 9bsa-tauz⟧", "OTP"),
        ("recovery codes: ⟦7972 8475; 4343 1879⟧", "OTP"),
    ],
)
def test_look_alike_letters_and_blanks_hide_nothing(expect, text: str, entity_type: str) -> None:
    expect(text, entity_type)
