/** Storage keys of density and text size. boot.ts applies them to the document before the first paint. */
export const densityStorageKey = 'nolo.density';
export const textSizeStorageKey = 'nolo.text';
