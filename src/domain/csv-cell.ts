/** An apostrophe keeps a cell text that a spreadsheet would take for a formula; quotes where it could break the row. */
export function textCell(text: string): string {
  const harmless = /^\s*[=+\-@＝＋－＠\t\r\n]/.test(text) ? `'${text}` : text
  return harmless === text && !/[",\r\n]/.test(text) ? text : `"${harmless.replaceAll('"', '""')}"`
}
