import sharp from 'sharp';

/** Makes a picture of one colour. */
export const plain = (background = 'red') => sharp({ create: { width: 320, height: 200, channels: 3, background } });
export const png = () => plain().png().toBuffer();
