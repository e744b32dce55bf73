/** Where density and the size of text are kept between visits; boot.ts puts them on the document before the first paint. */
export const densityStorageKey = 'nolo.density';
export const textSizeStorageKey = 'nolo.text';
