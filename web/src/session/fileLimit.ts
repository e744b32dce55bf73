import { limits } from '@nolo/rules';
import { configStore } from './config.ts';

/** Returns the maximum file size: that of its kind, but at most the operators' limit for the installation. */
export function getMaxFileBytes(ofKind: number = limits.fileBytes): number {
  return Math.min(ofKind, configStore.getState().config?.limits['fileBytes'] ?? limits.fileBytes);
}
