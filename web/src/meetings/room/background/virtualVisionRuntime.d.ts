declare module 'virtual:visionRuntime' {
  /** Starts the library's WebAssembly. */
  const startRuntime: (module?: object) => Promise<unknown>;
  export default startRuntime;
  /** URL of its WebAssembly file. */
  export const wasmAddress: string;
}
