"""Names and passwords with a mark between. Values are put together at run time."""

import pytest

STRONG = "Lantern" + "-19"
WEAK = "toor" + "1234"


@pytest.mark.parametrize(
    "text",
    [
        f"root/⟦{WEAK}⟧",
        f"root:⟦{WEAK}⟧",
        f"ssh root/⟦{WEAK}⟧",
        "try admin:⟦" + "hunter" + "2x⟧",
        f"login with admin / ⟦{STRONG}⟧",
        "default creds admin/⟦" + "admin" + "123⟧",
        f"user/pass: ops / ⟦{STRONG}⟧",
        f"ftp user/pass ftpuser/⟦{STRONG}⟧",
        f"username/password is ops / ⟦{STRONG}⟧",
        "router admin page is admin / ⟦" + "Kx9!" + "vv21⟧",
        f"credentials: svc_backup:⟦{STRONG}⟧",
        f"creds are ops:⟦{STRONG}⟧",
        f"user: ops pass: ⟦{STRONG}⟧",
        "log in with marlow and ⟦" + "kestrel" + "42⟧",
        "I sign in as marlow5 with ⟦" + "Bramble" + "77⟧.",
        "creds are marlow ⟦" + "kestrel" + "42⟧",
        f"账号密码：ops / ⟦{STRONG}⟧",
        f"账号ops密码⟦{STRONG}⟧",
        f"用户名 admin 密码 ⟦{STRONG}⟧",
        "后台账号 admin/⟦" + "admin" + "888⟧",
        f"服务器 root/⟦{WEAK}⟧",
        f"登录 root / ⟦{WEAK}⟧",
    ],
)
def test_the_password_of_a_pair_is_found_and_the_name_stays(expect, text: str) -> None:
    expect(text, "PASSWORD")


@pytest.mark.parametrize(
    "text",
    [
        "log in with google and verify2fa",
        "sign in with apple and android14",
        "log in as marlow and restart",
        "log in with marlow and step12",
        "the creds are from 2019",
        "creds are stored on web01",
        "docker run -p 80:8080 nginx/1.25",
        "mysql:8.0.33 and postgres:15-alpine images",
        "image: root/alpine3 and admin:1.2.3",
        "root/usr2 is a folder and admin/v2/users an endpoint",
        "chown root:root2 file; user:1000 group:1000",
        "/root/file1.txt and /home/admin/app2",
        "root:x:0:0:root:/root:/bin/bash",
        "admin:2026 budget, root/2024 and admin/2025 reports",
        "https://x.example/admin/login2",
        "user/user123 and user:password",
        "user/john2 posted, manager: Bob2",
        "the login page: support/tickets2",
        "the default admin/dashboard2 route",
        "test/unit2 passed, deploy:stage2 done",
        "login ok user=42 role=7a",
        "credentials are: Username: mkt_board2, on paper",
        "credentials: see the vault",
        "路径 root/file2024，用户 admin/page3",
        "后台登录地址 /admin/login2",
    ],
)
def test_paths_images_and_groups_stay(expect, text: str) -> None:
    expect(text)
