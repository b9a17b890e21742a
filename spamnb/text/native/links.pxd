cdef str registered_domain(str host)
