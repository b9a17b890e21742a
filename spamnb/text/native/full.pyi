from spamnb.text.groups import TokenGroups
from spamnb.text.native.fingerprints import Base, Keys
from spamnb.text.reading import Reading
from spamnb.text.tokenizers import Tokenizer

class TextKeys:
    words: Keys
    signs: Keys
    subject: Keys
    pairs: Keys
    chars: Keys
    end: Keys
    shapes: Keys
    odd: list[str]

def text_keys(
    reading: Reading, base: Base, segment: Tokenizer, stop_words: frozenset[str] = ...
) -> TextKeys: ...
def text_tokens(
    reading: Reading, segment: Tokenizer, stop_words: frozenset[str] = ...
) -> TokenGroups: ...
