"""Each module here touches one operating system; all speak the contract of ``base``."""
