from libc.stdint cimport uint32_t

cdef inline bint is_space(uint32_t c) noexcept nogil:
    return c == 32 or c == 10 or c == 9 or c == 13 or c == 12

cdef class Tag:
    cdef str name
    cdef bint closes
    cdef dict attributes
    cdef object own
    cdef tuple counted
    cdef tuple ends
    cdef str source
    cdef bint is_block
    cdef bint is_raw
    cdef bint is_shown_raw
    cdef bint is_void

cdef class Pieces:
    cdef list texts
    cdef list tags
    cdef list raws
    cdef list rest
    cdef list sheets

cdef Pieces pieces(str html)
