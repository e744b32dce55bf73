import { saveFile } from '../../device/saveFile.ts';

/** Destination of an archive, written piece by piece. */
export interface ExportSink {
  write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  close: () => Promise<void>;
  abort: () => Promise<void>;
}

interface SavePicker {
  showSaveFilePicker?: (options: {
    suggestedName: string;
    types: { description: string; accept: Record<string, string[]> }[];
  }) => Promise<FileSystemFileHandle>;
}

/** Collects the archive and downloads it at the end, for pages that cannot write files (File System Access). */
export function createMemoryExportSink(name: string, save: typeof saveFile = saveFile): ExportSink {
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  return {
    write: async (bytes) => void chunks.push(bytes),
    async close() {
      save(new Blob(chunks, { type: 'application/zip' }), name);
      chunks = [];
    },
    async abort() {
      chunks = [];
    },
  };
}

/**
 * Asks for the destination during a user press and writes directly to it, so that nothing stays in memory. Resolves to
 * null if the user cancels.
 */
export async function promptForExportSink(name: string): Promise<ExportSink | null> {
  const { showSaveFilePicker } = window as SavePicker;
  if (!showSaveFilePicker) return createMemoryExportSink(name);
  try {
    const types = [{ description: 'ZIP', accept: { 'application/zip': ['.zip'] } }];
    const handle = await showSaveFilePicker.call(window, { suggestedName: name, types });
    const file = await handle.createWritable();
    return { write: (bytes) => file.write(bytes), close: () => file.close(), abort: () => file.abort() };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    // A frame, or a system that provides no file: use the fallback for browsers without a picker.
    return createMemoryExportSink(name);
  }
}
