// The kinds of file that are opened: those that hold sound or pictures, and none that names others.

/**
 * ffmpeg would also play lists (HLS, DASH, ffconcat, SDP, IMF) and devices: a file that is opened
 * as a medium could then open any other, e.g. one that calls itself `jingle.mp3`.
 */
const DEMUXERS = [
  'aac', 'ac3', 'aiff', 'amr', 'amrnb', 'amrwb', 'ape', 'asf', 'asf_o', 'au', 'avi', 'caf', 'dsf',
  'dts', 'dtshd', 'dv', 'eac3', 'flac', 'flv', 'gif', 'gsm', 'gxf', 'iff', 'ivf', 'loas', 'm4v',
  'matroska', 'mlp', 'mov', 'mp3', 'mpc', 'mpc8', 'mpeg', 'mpegts', 'mpegvideo', 'mxf', 'nut',
  'ogg', 'oma', 'rm', 'shn', 'spdif', 'tak', 'truehd', 'tta', 'voc', 'w64', 'wav', 'wtv', 'wv',
  'xwma', 'h264', 'hevc', 'obu', 'mjpeg', 'yuv4mpegpipe', 'apng', 'image2', 'ico',
  'bmp_pipe', 'exr_pipe', 'gif_pipe', 'j2k_pipe', 'jpeg_pipe', 'jpegls_pipe', 'jpegxl_pipe',
  'pbm_pipe', 'pcx_pipe', 'pgm_pipe', 'png_pipe', 'ppm_pipe', 'psd_pipe', 'qoi_pipe', 'svg_pipe',
  'tiff_pipe', 'webp_pipe',
] as const

/** Before each input. */
export const KINDS_GUARD = ['-format_whitelist', DEMUXERS.join(',')] as const

/** What ffmpeg and ffprobe say of any other. */
export const isOtherKind = (complaint: string): boolean => /Format not on whitelist/.test(complaint)
