-- The column stays: instances of the version before, which go on meanwhile, read and write it.
SELECT;
