"""Seasons on the host: kept in one database, fed by journals, exported for paper and spreadsheets."""
