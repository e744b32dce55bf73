/** Hands a file to the browser's downloads. */
export function saveFile(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the bytes over by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
