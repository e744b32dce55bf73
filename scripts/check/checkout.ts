import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { readServices, type ServiceEntry } from '../services.ts';

/** Files that list services: those of this checkout, or of a copy in a test. */
export interface Checkout {
  readonly root: string;
  readonly services: readonly ServiceEntry[];
  /** Reads a file, given its path from the root. */
  readonly read: (path: string) => string;
}

export function openCheckout(root: string = projectRoot): Checkout {
  return {
    root,
    services: readServices(join(root, 'services.json')),
    read: (path) => readFileSync(join(root, path), 'utf8'),
  };
}
