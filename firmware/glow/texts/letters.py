"""Fallbacks for characters missing from the font. Loaded only when a text has such characters."""

# "plain:letters|…" in one text, which takes a third of a table's heap.
_FOLDS = (
    "a:àáâãåāăą|A:ÀÁÂÃÅĀĂĄ|ae:æ|AE:Æ|c:çćĉċč|C:ÇĆĈĊČ|d:ďđð|D:ĎĐÐ|e:èêëēĕėęě|E:ÈÊËĒĔĖĘĚ|g:ĝğġģ|G:ĜĞĠĢ|"
    "h:ĥħ|H:ĤĦ|i:ìíîïĩīĭįı|I:ÌÍÎÏĨĪĬĮİ|j:ĵ|J:Ĵ|k:ķ|K:Ķ|l:ĺļľŀł|L:ĹĻĽĿŁ|n:ñńņňŋ|N:ÑŃŅŇŊ|o:òóôõøōŏő|"
    "O:ÒÓÔÕØŌŎŐ|oe:œ|OE:Œ|r:ŕŗř|R:ŔŖŘ|s:śŝşšș|S:ŚŜŞŠȘ|t:ţťŧț|T:ŢŤŦȚ|th:þ|Th:Þ|u:ùúûũūŭůűų|U:ÙÚÛŨŪŬŮŰŲ|"
    "w:ŵ|W:Ŵ|y:ýÿŷ|Y:ÝŸŶ|z:źżž|Z:ŹŻŽ|SS:ẞ|':‘’‚′´|\":“”„″«»|-:‐‑‒–—−|...:…|*:•·|x:×| :\u00a0\u2009\u202f|"
    "EUR:€|<-:←|->:→|deg:°|!:¡|?:¿|1/2:½|"
)


def like(letter):
    """A similar character for one missing from the font; "?" if there is none."""
    if letter in "\t\n":
        return " "
    at = _FOLDS.find(letter)
    if at < 0 or letter < "\x80":
        return "?"
    start = _FOLDS.rfind("|", 0, at) + 1
    return _FOLDS[start : _FOLDS.find(":", start)]
