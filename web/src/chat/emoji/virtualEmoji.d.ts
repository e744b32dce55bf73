declare module 'virtual:emoji' {
  /** Made from `emojibase-data` while the app is built (vitePlugins/emoji.ts). */
  const emoji: readonly unknown[];
  export default emoji;
}
