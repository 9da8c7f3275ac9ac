/** The languages that a website can be in, as BCP 47 tags. */
export const languages =
  'ar bg ca cs da de de-AT de-CH el en en-GB en-US es et fa fi fr he hr hu is it ja ko lt lv nb nl pl pt pt-BR ro ru sk sl sr sv tr uk vi zh-CN zh-TW'.split(
    ' ',
  );
