import pytest


@pytest.mark.parametrize(
    "text",
    [
        "my github is ⟦https://github.com/lenakoh⟧",
        "- GitHub: ⟦github.com/lena-koh⟧\n- X: ⟦x.com/lena_koh⟧",
        "my profile: ⟦twitter.com/lena_koh⟧.",
        "you can find me at ⟦https://x.com/lena_koh⟧",
        "his profile is ⟦gitlab.com/tomasz⟧",
        "我的GitHub是⟦https://github.com/lenakoh⟧",
        "我的主页：⟦https://github.com/lenakoh⟧",
    ],
)
def test_a_page_that_is_said_to_be_somebodys_is_found(expect, text: str) -> None:
    expect(text, "PROFILE_URL")


@pytest.mark.parametrize(
    "text",
    [
        "see https://github.com/features and https://github.com/acme/repo",
        "https://twitter.com/search?q=x",
        "https://github.com/torvalds wrote it",
        "my repo is https://github.com/acme/repo",
        "my page is github.com/settings",
        "my favourite tool is https://github.com/ripgrep",
        "see https://github.com/pricing for my plan",
        "I'm reading https://twitter.com/nasa",
        "我在看 https://github.com/explore",
        "我的仓库 https://github.com/acme/repo",
    ],
)
def test_other_pages_stay(expect, text: str) -> None:
    expect(text)


@pytest.mark.parametrize(
    "text",
    [
        "her handle is ⟦@lena_k⟧",
        "follow me ⟦@lena_k⟧",
        "IG: ⟦@lena_k⟧",
        "我的推特 ⟦@lena_k⟧",
        "小红书号：⟦95270001234⟧",
        "抖音号 ⟦lena_k88⟧",
        "加我微信⟦lena_wx88⟧",
    ],
)
def test_handles_are_found(expect, text: str) -> None:
    expect(text, "USERNAME")


@pytest.mark.parametrize(
    "text", ["@property and @here", "I am @home", "tag @everyone", "抖音2026年度报告", "微信Payments"]
)
def test_what_is_no_handle_stays(expect, text: str) -> None:
    expect(text)
