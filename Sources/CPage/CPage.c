// see ops
