import pytest


@pytest.mark.parametrize(
    "text",
    [
        "My name is ⟦Sigrid Tanaka⟧ and I like tea.",
        "I'm ⟦Bo Ferrante⟧, a baker",
        "Call me ⟦Ilja⟧, please",
        "Dr. ⟦Joris van der Meulen-Ruiz⟧ saw me at noon.",
        "ask Mrs ⟦O'Donnell⟧'s son",
        "Frau ⟦Achterberg⟧ Termin am Montag",
        "my younger sister ⟦Ilona⟧ moved",
        "my wife, ⟦Anna⟧, called",
        "Hi ⟦Bo Ferrante⟧,\nyour slot is booked.",
        "Dear ⟦Anna⟧,\nthank you",
        "see you\nKind regards,\n⟦Ola Nyx⟧",
        "see you\n-- \n⟦Ola Nyx⟧\n",
        "Patient: ⟦Ola Nyx⟧\nRoom 4",
        '{"full_name": "⟦Ola Nyx⟧", "qty": 2}',
        "*⟦Siobhán O'Donnell⟧'s* bike",
        "then ⟦Sigrid Tanaka⟧ replied",
        "Paga a ⟦José Muñoz⟧ hoy",
        "我叫⟦王小明⟧，住北京",
        "我是⟦Dani⟧，你好",
        "我是⟦李明⟧。",
        "姓名：⟦欧阳娜娜⟧ 电话",
        "联系人：⟦张伟⟧",
        "这也让首次来玩的⟦孙女士⟧感到憋屈",
        "法院判处⟦钱某⟧有期徒刑，⟦孙某某⟧拘役",
        "⟦张院长⟧再次声明",
        "本报记者⟦高科⟧摄",
        "エンジニアの⟦佐藤未来⟧さんに連絡",
    ],
)
def test_names_in_an_unmistakable_form_are_found(expect, text: str) -> None:
    expect(text, "NAME")


@pytest.mark.parametrize(
    "text",
    [
        "⟦Ines Varga⟧ <⟦ines.varga@example.com⟧>",
        "Author: ⟦Ola Nyx⟧ <⟦on@example.com⟧>",
        "[⟦Otto⟧](mailto:⟦otto.brandt@example.com⟧?subject=Boat)",
        "⟦José Muñoz⟧ (⟦jmunoz@example.com⟧)",
    ],
)
def test_a_name_beside_its_mail_address_is_found(expect, text: str) -> None:
    expect(text, "NAME", "EMAIL")


@pytest.mark.parametrize(
    "text",
    [
        "Jenkins <⟦jenkins@ci.example.com⟧>",
        "Customer Support <⟦help@example.com⟧>",
        "Write to (⟦otto@example.com⟧)",
    ],
)
def test_a_role_beside_a_mail_address_stays(expect, text: str) -> None:
    expect(text, "EMAIL")


@pytest.mark.parametrize(
    "text",
    [
        "I am Happy, thanks",
        "I'm South African, born in Durban",
        "Hi There,\nhow are you",
        "Dear Customer Service,",
        "my Dr. Martens hurt and I watch Mr. Robot",
        "my brother Printer broke",
        "Call me Tomorrow.",
        "call me Back",
        "Name: Arial Black",
        "name: Build And Test",
        "my friend Friday",
        "I'm Using Python, and",
        "Hello World,\nfoo",
        "我是周五到，你呢",
        "Thanks,\nThe Team",
        "我是程序员，你呢",
        "我是高中生。",
        "我叫他来",
        "皆さん、患者さん、店員さん",
        "我妈和三叔都同意了",
        "ask dr about it",
    ],
)
def test_what_is_no_name_stays(expect, text: str) -> None:
    expect(text)


@pytest.mark.parametrize(
    "text",
    [
        "关于某些问题",
        "他担任院长多年",
        "没有任何女士在场",
        "三分钟先生就走了",
        "如何先生火再做饭",
        "位于某地",
        "高校长期合作",
    ],
)
def test_a_surname_that_ends_another_word_calls_nobody(expect, text: str) -> None:
    expect(text, "NAME")
