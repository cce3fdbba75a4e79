"""Names that people and models give to keys, and X's name of each.

They are xdotool's, JavaScript's, OpenAI's, pyautogui's and pynput's. Both who presses keys and who judges them read
names here, so that no spelling passes as another key.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

MODIFIERS: Mapping[str, str] = {
    "ctrl": "Control_L", "control": "Control_L", "ctrlleft": "Control_L", "controlleft": "Control_L",
    "ctrl_l": "Control_L", "control_l": "Control_L", "lctrl": "Control_L", "lcontrol": "Control_L",
    "left_ctrl": "Control_L", "ctrlright": "Control_R", "controlright": "Control_R", "ctrl_r": "Control_R",
    "control_r": "Control_R", "rctrl": "Control_R", "rcontrol": "Control_R", "right_ctrl": "Control_R",
    "strg": "Control_L",
    "shift": "Shift_L", "shiftleft": "Shift_L", "shift_l": "Shift_L", "lshift": "Shift_L", "left_shift": "Shift_L",
    "shiftright": "Shift_R", "shift_r": "Shift_R", "rshift": "Shift_R", "right_shift": "Shift_R",
    "alt": "Alt_L", "altleft": "Alt_L", "alt_l": "Alt_L", "lalt": "Alt_L", "left_alt": "Alt_L", "option": "Alt_L",
    "optionleft": "Alt_L", "opt": "Alt_L", "altright": "Alt_R", "alt_r": "Alt_R", "ralt": "Alt_R",
    "right_alt": "Alt_R", "optionright": "Alt_R",
    "super": "Super_L", "super_l": "Super_L", "superleft": "Super_L", "meta": "Super_L", "metaleft": "Super_L",
    "win": "Super_L", "winleft": "Super_L", "windows": "Super_L", "lwin": "Super_L", "cmd": "Super_L",
    "command": "Super_L", "cmdleft": "Super_L", "cmd_l": "Super_L", "os": "Super_L", "osleft": "Super_L",
    "super_r": "Super_R", "superright": "Super_R", "metaright": "Super_R", "winright": "Super_R", "rwin": "Super_R",
    "cmd_r": "Super_R", "cmdright": "Super_R", "osright": "Super_R",
    "altgr": "ISO_Level3_Shift", "alt_gr": "ISO_Level3_Shift", "altgraph": "ISO_Level3_Shift",
    "hyper": "Hyper_L", "hyper_l": "Hyper_L",
}  # fmt: skip
"""Keys that are held while another is pressed, by their names in lower case."""

_TYPING: Mapping[str, str] = {
    "enter": "Return", "return": "Return", "esc": "Escape", "escape": "Escape", "del": "Delete", "delete": "Delete",
    "forwarddelete": "Delete", "ins": "Insert", "insert": "Insert", "backspace": "BackSpace", "back": "BackSpace",
    "bksp": "BackSpace", "tab": "Tab", "space": "space", "spacebar": "space", "backtab": "ISO_Left_Tab",
    "pageup": "Prior", "page_up": "Prior", "pgup": "Prior", "pagedown": "Next", "page_down": "Next", "pgdn": "Next",
    "pgdown": "Next", "pgdwn": "Next", "up": "Up", "down": "Down", "left": "Left", "right": "Right",
    "arrowup": "Up", "arrowdown": "Down", "arrowleft": "Left", "arrowright": "Right", "uparrow": "Up",
    "downarrow": "Down", "leftarrow": "Left", "rightarrow": "Right", "up_arrow": "Up", "down_arrow": "Down",
    "left_arrow": "Left", "right_arrow": "Right",
    "menu": "Menu", "contextmenu": "Menu", "context_menu": "Menu", "apps": "Menu",
    "printscreen": "Print", "print_screen": "Print", "prtsc": "Print", "prtscr": "Print", "prntscrn": "Print",
    "prtscn": "Print", "snapshot": "Print", "print": "Print", "sysrq": "Sys_Req", "pause": "Pause",
    "pausebreak": "Pause", "break": "Break", "capslock": "Caps_Lock", "numlock": "Num_Lock",
    "scrolllock": "Scroll_Lock", "compose": "Multi_key",
    "add": "KP_Add", "subtract": "KP_Subtract", "multiply": "KP_Multiply", "divide": "KP_Divide",
    "decimal": "KP_Decimal", "separator": "KP_Separator",
    "dash": "minus", "hyphen": "minus", "dot": "period", "equals": "equal", "quote": "apostrophe",
    "singlequote": "apostrophe", "doublequote": "quotedbl", "backtick": "grave", "backquote": "grave",
    "star": "asterisk", "pipe": "bar", "caret": "asciicircum", "hash": "numbersign", "pound": "numbersign",
    "exclamation": "exclam", "questionmark": "question", "leftbracket": "bracketleft",
    "rightbracket": "bracketright", "openbracket": "bracketleft", "closebracket": "bracketright",
    "leftparen": "parenleft", "rightparen": "parenright",
}  # fmt: skip

_KEYPAD: Mapping[str, str] = {
    "add": "KP_Add", "plus": "KP_Add", "subtract": "KP_Subtract", "minus": "KP_Subtract", "multiply": "KP_Multiply",
    "times": "KP_Multiply", "asterisk": "KP_Multiply", "divide": "KP_Divide", "slash": "KP_Divide",
    "decimal": "KP_Decimal", "period": "KP_Decimal", "dot": "KP_Decimal", "comma": "KP_Separator",
    "separator": "KP_Separator", "enter": "KP_Enter", "return": "KP_Enter", "equal": "KP_Equal", "equals": "KP_Equal",
    "home": "KP_Home", "end": "KP_End", "up": "KP_Up", "down": "KP_Down", "left": "KP_Left", "right": "KP_Right",
    "pageup": "KP_Prior", "page_up": "KP_Prior", "prior": "KP_Prior", "pagedown": "KP_Next", "page_down": "KP_Next",
    "next": "KP_Next", "begin": "KP_Begin", "insert": "KP_Insert", "delete": "KP_Delete", "space": "KP_Space",
    "tab": "KP_Tab", **{str(digit): f"KP_{digit}" for digit in range(10)},
}  # fmt: skip
"""What may follow ``kp_``, ``numpad``, ``num``."""

_MEDIA: Mapping[str, str] = {
    "volumeup": "AudioRaiseVolume", "volume_up": "AudioRaiseVolume", "audiovolumeup": "AudioRaiseVolume",
    "volumedown": "AudioLowerVolume", "volume_down": "AudioLowerVolume", "audiovolumedown": "AudioLowerVolume",
    "volumemute": "AudioMute", "volume_mute": "AudioMute", "audiovolumemute": "AudioMute", "mute": "AudioMute",
    "micmute": "AudioMicMute", "microphonemute": "AudioMicMute", "microphonemutetoggle": "AudioMicMute",
    "playpause": "AudioPlay", "play_pause": "AudioPlay", "mediaplaypause": "AudioPlay", "play": "AudioPlay",
    "media_play_pause": "AudioPlay", "mediaplay": "AudioPlay", "mediapause": "AudioPause",
    "mediastop": "AudioStop", "media_stop": "AudioStop", "mediarecord": "AudioRecord",
    "mediatracknext": "AudioNext", "medianext": "AudioNext", "nexttrack": "AudioNext", "media_next": "AudioNext",
    "mediatrackprevious": "AudioPrev", "mediaprevious": "AudioPrev", "prevtrack": "AudioPrev",
    "media_previous": "AudioPrev", "mediarewind": "AudioRewind", "mediafastforward": "AudioForward",
    "brightnessup": "MonBrightnessUp", "brightness_up": "MonBrightnessUp",
    "brightnessdown": "MonBrightnessDown", "brightness_down": "MonBrightnessDown",
    "browserback": "Back", "browserforward": "Forward", "browserrefresh": "Refresh", "browserstop": "Stop",
    "browsersearch": "Search", "browserfavorites": "Favorites", "browserhome": "HomePage",
    "launchmail": "Mail", "launchcalculator": "Calculator", "launchmediaplayer": "AudioMedia", "eject": "Eject",
    "sleep": "Sleep", "power": "PowerOff", "poweroff": "PowerOff", "wakeup": "WakeUp", "logoff": "LogOff",
}  # fmt: skip
"""Keys of X's vendor set, without their ``XF86``."""

_ON_KEYPAD = re.compile(r"(?:kp_?|numpad_?|num_?)(\w+)")
_JOINED = re.compile(r"(?<=[^\s+])\s*\+\s*(?=[^\s+])")
_CODE = re.compile(r"key([a-z])|digit([0-9])")
"""JavaScript's codes of letters and digits."""


def x_name(name: str) -> str:
    """X's name of a key that is called otherwise; any other name as it is. Case counts in neither."""
    small = name.strip().lower() or name
    known = MODIFIERS.get(small) or _TYPING.get(small)
    if known:
        return known
    if small in _MEDIA:
        return "XF86" + _MEDIA[small]
    if (keypad := _ON_KEYPAD.fullmatch(small)) and keypad[1] in _KEYPAD:
        return _KEYPAD[keypad[1]]
    if code := _CODE.fullmatch(small):
        return str(code[1] or code[2])
    return name


def sequence(keys: str) -> list[str]:
    """The chords of ``ctrl+a Delete``, one after the other, as xdotool takes them; ``ctrl + q`` is one."""
    joined = _JOINED.sub("+", keys)
    return joined.split() or ([keys] if keys else [])
