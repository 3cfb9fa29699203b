"""Pictures in one visual language: trees, tables and interval bars on the standard library, curves with matplotlib."""
