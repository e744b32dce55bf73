export function downloadUrl(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** Saves a file through the browser's downloads. */
export function saveFile(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  downloadUrl(url, name);
  // The browser has copied the bytes by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
