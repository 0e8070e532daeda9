/**
 * How far ahead of this process's clock a time may lie that another process stored, milliseconds. One that lies farther
 * ahead than it can was stored while a clock was wrong, and is not believed.
 */
export const AHEAD = 60_000
