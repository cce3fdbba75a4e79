"""The contract ``Desktop`` over any platform: observe, find, act, screenshot, apps, open."""
