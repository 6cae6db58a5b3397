"""The database key: 256 random bits, from which everything that is secret at rest hangs.

It is kept in the operating system's keyring (`ring`), else in a key file wrapped under a passphrase (`key_file`,
`wrapping`), and once more in a recovery file wrapped under the recovery key (`recovery`) that the owner writes down.
`Keyholder` is the one door; `subkeys` derives keys for other uses, so that the database key itself serves one use.
"""

from keepmum_edge.keys.keyholder import CreatedKey, Keyholder, UnlockedKey
from keepmum_edge.keys.passphrase import Ask
from keepmum_edge.keys.ring import Ring, find_ring
from keepmum_edge.keys.subkeys import Subkey, derive_subkey

__all__ = ["Ask", "CreatedKey", "Keyholder", "Ring", "Subkey", "UnlockedKey", "derive_subkey", "find_ring"]
