"""Policy before dispatch: which steps can do harm, and who allowed them. Deterministic; no model is asked."""
