from spamnb.filter.table_filter import CompiledFilter
from spamnb.filter.verdict import Verdict
from spamnb.text.groups import TokenGroups
from spamnb.text.native.full import TextKeys

class NativeJudge:
    def __init__(self, compiled: CompiledFilter) -> None: ...
    def judge(self, text: TextKeys, others: TokenGroups) -> Verdict: ...
