((mistake_text) @injection.content (#set! injection.language "sutler"))
