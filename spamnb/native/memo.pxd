from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject


# What a `spamnb.memo.Memo` says of a text; past the slot of a subclass of dict, a call in Python.
cdef inline object known(object memo, str key):
    cdef PyObject* found = PyDict_GetItemWithError(memo, key)
    return <object> found if found != NULL else memo[key]
