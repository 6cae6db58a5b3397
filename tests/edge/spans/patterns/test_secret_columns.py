import pytest


@pytest.mark.parametrize(
    ("table", "entity_type"),
    [
        (
            "site | user | password\n--- | --- | ---\nmail | kim77 | ⟦tiger-moon⟧\nbank | kim78 | ⟦sunflower⟧",
            "PASSWORD",
        ),
        ("| Account | Pass |\n|---|---|\n| mail | ⟦Tiger!9⟧ |\n| vpn | <password> |", "PASSWORD"),
        ("service,user,password\naws,kim77,⟦horse77⟧\n", "PASSWORD"),
        ("host\tpwd\nbox\t⟦horse77⟧", "PASSWORD"),
        ("网站,账号,密码\n微博,kim77,⟦abc123!⟧", "PASSWORD"),
        ("name | number | cvv\n--- | --- | ---\nOrrin | 17 | ⟦447⟧", "PIN"),
        ("owner | pin\n--- | ---\nme | ⟦48 15⟧", "PIN"),
        ("and the list, as you asked: owner | pin\n--- | ---\nme | ⟦4815⟧\nKim | ⟦1623⟧", "PIN"),
        ("site,login,pw\nmail,kim77,⟦%8NgdUIy⟧\nchat,kim78,⟦$Q46-4IGo⟧", "PASSWORD"),
        ("env | api key\n--- | ---\nprod | ⟦9f8e7d6c5b4a39281706⟧", "API_KEY"),
    ],
)
def test_values_below_a_head_that_names_a_secret_are_found(expect, table: str, entity_type: str) -> None:
    expect(table, entity_type)


@pytest.mark.parametrize(
    "text",
    [
        "I need email, password, and phone\nplease, thanks, bye",
        "name,password,role\nvarchar,varchar,int",
        "field | password | meaning\n--- | --- | ---\nrequired | <password> | none",
        "key | value\n--- | ---\ncolour | blue",
        "password | user\nno table follows",
        "I wrote down my name | pin\nand then | 4815",
    ],
)
def test_heads_types_and_stand_ins_are_not(expect, text: str) -> None:
    expect(text)
