import { limits } from '@nolo/rules';
import { configStore } from './config.ts';

/** How large a file may be here: what its kind takes, and no more than operators let the installation take. */
export function mostFileBytes(ofKind: number = limits.fileBytes): number {
  return Math.min(ofKind, configStore.getState().config?.limits['fileBytes'] ?? limits.fileBytes);
}
