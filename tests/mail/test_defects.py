"""Each kind of defect has a name, and a sentence on what is done about it."""

import pickle

import pytest

from spamnb.mail.defects import Defect


@pytest.mark.parametrize("defect", Defect)
def test_a_defect_is_its_name(defect):
    assert Defect(defect.value) is defect
    assert defect == defect.value
    assert defect.value == defect.name.lower().replace("_", "-")
    assert pickle.loads(pickle.dumps(defect)) is defect


@pytest.mark.parametrize("defect", Defect)
def test_what_is_done_about_it_is_a_sentence(defect):
    assert defect.remedy.endswith(".")
    assert defect.remedy[0].isupper()
    assert len(defect.remedy) < 100
