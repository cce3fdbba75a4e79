"""Acting: guard, route, effect, step by step."""
