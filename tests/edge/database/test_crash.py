import random
import time
from contextlib import closing
from pathlib import Path

from keepmum_edge.database import Database
from keepmum_edge.vault.store import VaultStore
from keepmum_shared.ids import ConversationId
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType
from profiles import KEY, new_database, second_process, settings

WRITE_UNTIL_KILLED = """
import sys
from pathlib import Path
from keepmum_edge.database import Database
from keepmum_edge.vault.binding import Binding, Origin
from keepmum_edge.vault.store import VaultStore
from keepmum_shared.placeholder import Placeholder
from keepmum_shared.taxonomy import EntityType, Level
db = Database.open(Path(sys.argv[1]), bytes(range(32)))
vault = VaultStore(db)
for i in range(100_000):
    with db.transaction():
        number = vault.allot(EntityType.NAME, f"{sys.argv[2]} {i}", f"{sys.argv[2]} {i}")
        binding = Binding(placeholder=Placeholder(EntityType.NAME, number), surface=f"{sys.argv[2]} {i}",
            canonical=f"{sys.argv[2]} {i}", origin=Origin.OWNER, level=Level.PL2, volatile=False)
        vault.save("conv_1", (binding,), {EntityType.NAME: 100_001 + i})
    print(number, i, flush=True)  # as if it were sent now
    if i % 7 == 0:
        db.checkpoint()
"""


def test_killed_at_any_moment_every_number_that_left_has_its_value_and_the_database_is_whole(tmp_path: Path) -> None:
    new_database(tmp_path).close()
    path, chance = settings(tmp_path).paths.database, random.Random(7)
    sent: dict[int, str] = {}
    for round_number in range(8):
        name = f"round {round_number}"
        with second_process(WRITE_UNTIL_KILLED, path, name) as writer:
            assert writer.stdout is not None
            lines = [writer.stdout.readline()]
            time.sleep(chance.random() * 0.05)
            writer.kill()
            lines += writer.stdout.readlines()
        for line in lines:
            if line.endswith("\n"):
                number, i = line.split()
                assert int(number) not in sent
                sent[int(number)] = f"{name} {i}"
    with closing(Database.open(path, KEY)) as db:
        vault = VaultStore(db)
        assert {n: vault.profile_surface(Placeholder(EntityType.NAME, n)) for n in sent} == sent
        bound = {binding.placeholder.number: binding.surface for binding in vault.load(ConversationId("conv_1"))[0]}
        stored = dict(db.rows("SELECT number, surface FROM vault_value"))
        assert bound == stored  # both or neither
        assert db.integrity() == ()
    assert len(sent) > 4
