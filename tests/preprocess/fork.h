the second fork
