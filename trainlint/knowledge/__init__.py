"""What the world's libraries do, as data: one TOML file for each library, merged into one :class:`Knowledge`."""

from trainlint.knowledge.load import Knowledge, KnowledgeError, load_knowledge

__all__ = ["Knowledge", "KnowledgeError", "load_knowledge"]
