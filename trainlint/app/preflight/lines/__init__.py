"""The lines of the checklist, group by group: each module answers those of one group."""
