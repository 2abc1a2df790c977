"""The journal of model responses: its files, its index, packing, verification and cleaning."""
