from spamnb.compiled import CompiledFilter
from spamnb.features.groups import TokenGroups
from spamnb.text.native.full import TextKeys
from spamnb.verdict import Verdict

class NativeJudge:
    def __init__(self, compiled: CompiledFilter) -> None: ...
    def judge(self, text: TextKeys, others: TokenGroups) -> Verdict: ...
