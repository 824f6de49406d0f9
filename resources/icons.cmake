# Every icon of the window, as :/icons/NAME.svg.
qt_add_resources(sonde-ui "icons"
    PREFIX "/icons"
    BASE ${PROJECT_SOURCE_DIR}/resources/icons
    FILES
        ${PROJECT_SOURCE_DIR}/resources/icons/bookmark.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/calendar.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/chevron.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/close.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/compare.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/contrast.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/copy.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/down.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/edit.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/export.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/eye.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/follow.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/history.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/info.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/maximise.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/moon.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/open.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/pin.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/play.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/plus.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/popout.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/prompt.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/resource.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/restart.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/save.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/search.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/send.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/server.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/sonde.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/statistics.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/stop.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/sun.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/template.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/tool.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/trash.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/unmarked.svg
        ${PROJECT_SOURCE_DIR}/resources/icons/up.svg
)
