import type { ReactNode } from 'react';
import type { PaletteEntry } from './model/paletteEntries.ts';
import type { StartDialogRequest } from '../StartDialogs.tsx';

/** Entry as the palette draws and runs it. */
export interface PaletteItem extends PaletteEntry {
  icon: ReactNode;
  /** Label as drawn, if parts of it are highlighted. */
  shown?: ReactNode;
  /** Shortcut for the same without the palette. */
  keys?: readonly string[];
  /** Action that runs once the palette is closed, or the dialog that replaces it. */
  does: (() => void) | StartDialogRequest;
}

/** Results of one source of the palette: a hook that gets the input. `CommandPalette` lists the sources. */
export interface PaletteGroup {
  id: string;
  title: string;
  items: readonly PaletteItem[];
  /** True if more results may follow. */
  searching?: boolean;
}
