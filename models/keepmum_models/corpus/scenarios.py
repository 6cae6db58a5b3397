"""The seven scenario categories and 23 subcategories of MemPrivacy, section 4.3, with what people tell in each."""

from dataclasses import dataclass

FAMILIES: tuple[str, ...] = (
    *"name family contact email username address postcode employer school birth ip device plate".split(),
    *"profile account national_id passport license tax bank card wallet income debt condition symptom".split(),
    *"medication lab biometric trace religion ethnicity orientation politics legal minor message".split(),
    *"password pin otp api_key token cookie private_key seed connection security_answer internal".split(),
)
PREFERENCES = ("diet", "arts", "hobby", "aesthetic")


@dataclass(frozen=True, slots=True)
class Scenario:
    """One subcategory: the fact families that fit it best; the others turn up too, less often."""

    category: str
    name: str
    families: tuple[str, ...]

    @property
    def label(self) -> str:
        """`category/subcategory`, as written to the corpus."""
        return f"{self.category}/{self.name}"


def _of(category: str, **subcategories: str) -> list[Scenario]:
    return [Scenario(category, name, tuple(families.split())) for name, families in subcategories.items()]


SCENARIOS: tuple[Scenario, ...] = (
    *_of(
        "drafting",
        email="name contact email employer account",
        resume="name contact email address school employer profile birth",
        letter="name address postcode account tax legal",
        social_post="name username profile trace employer",
        form_filling="name birth national_id passport license address contact postcode",
    ),
    *_of(
        "financial",
        budgeting="income debt bank family",
        tax="tax income national_id employer address",
        investment="wallet income bank account seed",
        banking="bank card pin otp account contact",
        data_table="name email contact account income card",
    ),
    *_of(
        "consultation",
        health="condition symptom medication lab family minor",
        legal="legal name national_id address religion ethnicity",
        travel="passport trace name card birth plate",
        education="school minor family account name",
        housing="address postcode income plate name contact",
    ),
    *_of(
        "technical",
        debugging="api_key token password connection ip internal username",
        configuration="password connection private_key api_key internal ip device",
        account_recovery="password otp security_answer email contact cookie pin",
    ),
    *_of(
        "emotional",
        relationships="family message orientation name symptom",
        workplace="employer name message income",
        wellbeing="symptom condition medication religion",
    ),
    *_of("inference", implied="symptom trace religion politics ethnicity biometric minor"),
    *_of("preference", change="family address employer condition"),
)
