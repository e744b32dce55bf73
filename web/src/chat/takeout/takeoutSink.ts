import { saveFile } from '../../device/saveFile.ts';

/** Where an archive goes, piece by piece. */
export interface Sink {
  write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** All of it is there. */
  close: () => Promise<void>;
  /** Nothing of it stays. */
  abort: () => Promise<void>;
}

interface SavePicker {
  showSaveFilePicker?: (options: {
    suggestedName: string;
    types: { description: string; accept: Record<string, string[]> }[];
  }) => Promise<FileSystemFileHandle>;
}

/** Gathers it, and hands it to the downloads at the end: where a page may not write a file (File System Access). */
export function memorySink(name: string, save: typeof saveFile = saveFile): Sink {
  let parts: Uint8Array<ArrayBuffer>[] = [];
  return {
    write: async (bytes) => void parts.push(bytes),
    async close() {
      save(new Blob(parts, { type: 'application/zip' }), name);
      parts = [];
    },
    async abort() {
      parts = [];
    },
  };
}

/**
 * Asks where to, at the person's press; what is written goes there at once, so that nothing of it is in memory. Null where
 * they want nothing after all.
 */
export async function chooseSink(name: string): Promise<Sink | null> {
  const { showSaveFilePicker } = window as SavePicker;
  if (!showSaveFilePicker) return memorySink(name);
  try {
    const types = [{ description: 'ZIP', accept: { 'application/zip': ['.zip'] } }];
    const handle = await showSaveFilePicker.call(window, { suggestedName: name, types });
    const file = await handle.createWritable();
    return { write: (bytes) => file.write(bytes), close: () => file.close(), abort: () => file.abort() };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    // A frame, or a system that gives no file away: then as where there is none to ask for.
    return memorySink(name);
  }
}
