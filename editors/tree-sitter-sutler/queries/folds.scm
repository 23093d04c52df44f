[(ruling) (kind) (track) (choice) (table) (trace) (test) (phase) (hook) (map) (setup) (case) (mistake)] @fold
