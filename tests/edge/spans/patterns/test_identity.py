import pytest


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("证件：⟦11010119050203003x⟧。", "NATIONAL_ID"),
        ("身份证 ⟦110101 1990 0307 4610⟧", "NATIONAL_ID"),
        ("香港身份证⟦A123456(3)⟧，台湾⟦A123456789⟧", "NATIONAL_ID"),
        ("SSN ⟦123-45-6789⟧", "NATIONAL_ID"),
        ("my ssn is ⟦123456789⟧", "NATIONAL_ID"),
        ("⟦SH 12 34 56 B⟧", "NATIONAL_ID"),
        ("NHS number ⟦943 476 5918⟧", "NATIONAL_ID"),
        ("DNI ⟦12345678Z⟧", "NATIONAL_ID"),
        ("⟦900307-1234567⟧", "NATIONAL_ID"),
        ("Aadhaar ⟦2847 3916 5023⟧", "NATIONAL_ID"),
        ("BSN ⟦111222333⟧", "NATIONAL_ID"),
        ("CPF: ⟦529.982.247-25⟧", "TAX_ID"),
        ("⟦11.222.333/0001-81⟧", "TAX_ID"),
        ("⟦RSSMRA85T10A562S⟧", "TAX_ID"),
        ("Steuer-ID ⟦86 095 742 719⟧", "TAX_ID"),
        ("EIN: ⟦12-3456789⟧", "TAX_ID"),
        ("统一社会信用代码⟦91110108MA01YBNX62⟧", "TAX_ID"),
        ("passport no. ⟦X1234567⟧", "PASSPORT"),
        ("护照号码：⟦E12345678⟧", "PASSPORT"),
        ("driver's license number ⟦D123-4567-8901⟧", "DRIVER_LICENSE"),
        ("车牌⟦京A12345⟧", "VEHICLE_PLATE"),
        ("⟦沪AF01234⟧停在门口", "VEHICLE_PLATE"),
        ("license plate: ⟦ABC 1234⟧", "VEHICLE_PLATE"),
        ("MRN: ⟦00847291⟧", "ACCOUNT_ID"),
        ("zip ⟦94105⟧", "POSTCODE"),
        ("邮编⟦266071⟧", "POSTCODE"),
        ("DNI ⟦12.345.678-Z⟧", "NATIONAL_ID"),
        ("CF: ⟦RSS MRA 85T10 A562S⟧", "TAX_ID"),
        ("Personalausweisnummer: ⟦L01X00T47⟧", "NATIONAL_ID"),
        ("carte d'identité ⟦880692310285⟧", "NATIONAL_ID"),
        ("my social is ⟦123456789⟧", "NATIONAL_ID"),
        ("여권 ⟦M12345678⟧", "PASSPORT"),
        ("RG ⟦12.345.678-9⟧", "NATIONAL_ID"),
        ("last 4 of my SSN are ⟦6789⟧", "NATIONAL_ID"),
        ("身份证后四位是⟦461X⟧", "NATIONAL_ID"),
        ("回乡证⟦H12345678⟧", "NATIONAL_ID"),
        ("my passport is ⟦533380006⟧", "PASSPORT"),
        ("⟦MORGA657054SM9IJ⟧", "DRIVER_LICENSE"),
        ("driving licence no. ⟦MORGA 657054 SM9IJ⟧", "DRIVER_LICENSE"),
        ("DL: ⟦D1234567⟧", "DRIVER_LICENSE"),
        ("驾照档案编号⟦110012345678⟧", "DRIVER_LICENSE"),
        ("军官证 武字第⟦87654321⟧号", "NATIONAL_ID"),
    ],
)
def test_identifiers_are_found(expect, text: str, kind: str) -> None:
    expect(text, kind)


@pytest.mark.parametrize(
    "text",
    [
        "110101199003071235 has a wrong check digit",
        "000-45-6789 and 987-65-4321",
        "901307-1234567 has no such month",
        "C12345678 is a part",
        "中A12345",
        "编号G12345678的订单",
        "the tax id field is empty",
        "MORGA699954SM9IJ has no such month",
        "护照2026年到期，驾照扣12分",
        "dl 1.2 GB at 3000 kb",
        "the last 4 digits of pi",
        "passport photos are 35x45 mm",
        "a 12345678A label",
    ],
)
def test_near_misses_stay(expect, text: str) -> None:
    expect(text)


@pytest.mark.parametrize(
    "text",
    [
        "born on ⟦14 March 1987⟧; our kickoff is 14 March 2027",
        "DOB ⟦03/04/1979⟧. Next visit 03/04/2027 at 10:30",
        '"date_of_birth": "⟦1990-03-07⟧"',
        "my birthday is ⟦March 7⟧",
        "我⟦1992年7月15日⟧出生，今年7月15日下午开会",
        "生日是⟦三月七日⟧",
        "出生日期：⟦1990年03月07日⟧",
        "geb. am ⟦15.06.1990⟧",
    ],
)
def test_dates_of_birth_are_told_from_other_dates(expect, text: str) -> None:
    expect(text, "DATE_OF_BIRTH")


@pytest.mark.parametrize(
    "text",
    ["deadline 2024-03-07", "my birthday party is on 14 March 2027", "会议时间2024-03-07", "Bad date 13/01/2020"],
)
def test_other_dates_stay(expect, text: str) -> None:
    expect(text)


def test_battles_are_not_born_and_a_masked_id_is_left(expect) -> None:
    expect("战斗发生于1931年9月15日，地点则是在中国")
    expect("身份证号是 110101********8531，请核对")
