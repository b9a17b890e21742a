r"""A naive Bayes spam filter for the command line, for English and Chinese mail.

What can be done from Python, each name imported when it is asked for; the estimators are in
`spamnb.bayes`.

A mail is parsed whatever its bytes are, and read as a person sees it:

>>> import spamnb
>>> message = spamnb.parse(b"Subject: Cheap pills\n\nBuy cheap pills now, only today")
>>> isinstance(message, spamnb.Message), message.subject
(True, 'Cheap pills')
>>> spamnb.read(message).texts
('Buy cheap pills now, only today',)

A stored model is opened to give verdicts:

>>> spam_filter = spamnb.open_filter("models/starter")
>>> chinese = spamnb.parse(b"Subject: \xe4\xb8\xad\n\n\xe5\x9b\xbd\xe4\xba\xba")
>>> verdict = spam_filter.classify(chinese)
>>> isinstance(verdict, spamnb.Verdict), verdict.label, verdict.reason
(True, 'unsure', 'no known words')

A filter is trained on labeled mail, stored (`save_model`, `load_model`), and says why it decides:

>>> mails = [
...     ("spam", b"Subject: pills\n\ncheap pills now"),
...     ("ham", b"Subject: lunch\n\nat one"),
... ]
>>> training = spamnb.train(mails * 20, spamnb.TrainingOptions(classifier="multinomial"))
>>> isinstance(training, spamnb.Training), isinstance(training.spam_filter, spamnb.SpamFilter)
(True, True)
>>> explanation = training.spam_filter.explain(message)
>>> isinstance(explanation, spamnb.Explanation), explanation.verdict.label
(True, 'spam')
>>> [item.token for item in explanation.contributions if ":" not in item.token]
['cheap', 'now', 'pills']

Whatever cannot be done is a `SpamnbError` with one sentence for a person:

>>> try:
...     spamnb.load_model("nowhere")
... except spamnb.SpamnbError as error:
...     print(error)
there is no model at nowhere: train one with 'spamnb train -m nowhere'
"""

from __future__ import annotations

from spamnb.system.lazy import lazy_names

TYPE_CHECKING = False  # what mypy takes as True, without importing typing
if TYPE_CHECKING:
    from spamnb.errors import SpamnbError as SpamnbError
    from spamnb.filter.explanation import Explanation as Explanation
    from spamnb.filter.spam_filter import SpamFilter as SpamFilter
    from spamnb.filter.verdict import Verdict as Verdict
    from spamnb.mail.message import Message as Message
    from spamnb.mail.parser import parse as parse
    from spamnb.store.files import load_model as load_model
    from spamnb.store.files import save_model as save_model
    from spamnb.store.opening import open_filter as open_filter
    from spamnb.text.reading import read as read
    from spamnb.training.mail import train as train
    from spamnb.training.model import Training as Training
    from spamnb.training.options import TrainingOptions as TrainingOptions

__version__ = "0.1.0"

_PLACES = {
    "Explanation": "spamnb.filter.explanation:Explanation",
    "Message": "spamnb.mail.message:Message",
    "SpamFilter": "spamnb.filter.spam_filter:SpamFilter",
    "SpamnbError": "spamnb.errors:SpamnbError",
    "Training": "spamnb.training.model:Training",
    "TrainingOptions": "spamnb.training.options:TrainingOptions",
    "Verdict": "spamnb.filter.verdict:Verdict",
    "load_model": "spamnb.store.files:load_model",
    "open_filter": "spamnb.store.opening:open_filter",
    "parse": "spamnb.mail.parser:parse",
    "read": "spamnb.text.reading:read",
    "save_model": "spamnb.store.files:save_model",
    "train": "spamnb.training.mail:train",
}

__all__ = sorted(_PLACES)
__getattr__, __dir__ = lazy_names(__name__, _PLACES)
