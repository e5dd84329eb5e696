//! An image file as what a model takes: recognised by its first bytes, downscaled, as JPEG or PNG, in base64.
//!
//! What leaves here has no side longer than [`LONGEST_SIDE`] and holds pixels only. A file goes out as its
//! own bytes when it is a small PNG or JPEG with nothing beside the pixels; all else is decoded and encoded
//! anew. That is how EXIF (a photo tells where it was taken), XMP, IPTC, comments, thumbnails, later frames
//! and bytes behind the end stay at home: what may pass is listed, not what may not. The orientation that
//! EXIF gives is applied to the pixels first.
//!
//! WebP never goes out as it is. OpenAI and Anthropic take it, but llama.cpp reads images with stb_image,
//! which does not (cline issue 8977, ollama pull request 17755).
//!
//! Every file is decoded, even one that is passed on, so that damage is found here and not by the endpoint.
//! A small file may claim a huge picture: the claim is held against [`PIXELS`] and [`DECODED_BYTES`] before
//! memory is taken for it.
//!
//! Absent: file names and extensions, which prove nothing; animation, of which the first frame is taken;
//! colour profiles, without which colours shift a little; the formats that are only named in an error.

use std::io::Cursor;

use ::image::codecs::jpeg::JpegEncoder;
use ::image::imageops::{self, FilterType};
use ::image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, Rgba, RgbaImage};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Pixels. Anthropic scales an image down when its long edge is above 1568 ("Vision", docs.anthropic.com).
/// OpenAI fits it into 2048 by 2048 and then brings the short side to 768, or spends at most 1536 patches of
/// 32 by 32, that is 1.6 megapixels ("Images and vision", developers.openai.com). More would be sent, and
/// waited for, only to be thrown away.
const LONGEST_SIDE: u32 = 1568;

/// Bytes, before base64: the largest file that is passed on, and the largest PNG without alpha. Endpoints
/// take more (Anthropic 32 MB a request), but a conversation sends its images again with each turn.
const SENT_BYTES: usize = 1_500_000;

/// Bytes, before base64: the largest PNG that is sent to keep its alpha, 5 MB in base64. A larger one is laid
/// on white and sent as JPEG.
const ALPHA_BYTES: usize = 3_750_000;

/// Bytes of a file, above which nobody waits for the decoder.
const FILE_BYTES: usize = 100_000_000;

/// Pixels of a file. Phones make 50 million.
const PIXELS: u64 = 100_000_000;

/// Bytes that the decoder may take for pixels: [`PIXELS`] of four bytes, and some to work with. A progressive
/// JPEG takes memory beside them: one of 99 megapixels, 589 MB in all.
const DECODED_BYTES: u64 = 512 << 20;

/// Of 100: above 85 files grow faster than anything gets clearer.
const JPEG_QUALITY: u8 = 85;

/// Times [`LONGEST_SIDE`]: what is more than twice as large is brought to this by a fast filter, before the
/// good one.
const SLOW_SIDES: u32 = 2;

/// An image that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// `image/png` or `image/jpeg`.
    pub media_type: &'static str,
    /// The file, in the standard alphabet, with padding and without line breaks.
    pub base64: String,
    /// Pixels, at most [`LONGEST_SIDE`].
    pub width: u32,
    /// Pixels, at most [`LONGEST_SIDE`].
    pub height: u32,
}

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    #[error("this is not an image")]
    NotAnImage,
    /// The name of the format.
    #[error("{0} images cannot be read, only PNG, JPEG, GIF and WebP")]
    Unsupported(&'static str),
    #[error("the image is above {} megapixels or {} MB", PIXELS / 1_000_000, FILE_BYTES / 1_000_000)]
    TooLarge,
    /// What the decoder found.
    #[error("the image is damaged: {0}")]
    Damaged(String),
}

impl From<ImageError> for PictureError {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(_) => Self::TooLarge,
            error => Self::Damaged(error.to_string()),
        }
    }
}

/// What the first bytes say.
enum Kind {
    Read(ImageFormat),
    Named(&'static str),
}

/// Whether `bytes` are an image, also one of a kind that [`picture`] can only name.
pub fn is_image(bytes: &[u8]) -> bool {
    kind(bytes).is_some()
}

/// The image in `bytes`, as it is sent.
pub fn picture(bytes: &[u8]) -> Result<Picture, PictureError> {
    let format = match kind(bytes).ok_or(PictureError::NotAnImage)? {
        Kind::Read(format) => format,
        Kind::Named(name) => return Err(PictureError::Unsupported(name)),
    };
    if bytes.len() > FILE_BYTES {
        return Err(PictureError::TooLarge);
    }
    let image = decode(bytes, format)?;
    let small = image.width().max(image.height()) <= LONGEST_SIDE && bytes.len() <= SENT_BYTES;
    match format {
        ImageFormat::Png if small && is_bare_png(bytes) => Ok(sent("image/png", bytes, &image)),
        ImageFormat::Jpeg if small && is_bare_jpeg(bytes) => Ok(sent("image/jpeg", bytes, &image)),
        _ => encode(&shrunk(image), matches!(format, ImageFormat::Png | ImageFormat::Gif)),
    }
}

/// The signatures are those of the formats' own specifications. Where one is short enough to start a text,
/// more of the header is looked at.
fn kind(bytes: &[u8]) -> Option<Kind> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Kind::Read(ImageFormat::Png)),
        [0xff, 0xd8, 0xff, ..] => Some(Kind::Read(ImageFormat::Jpeg)),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Kind::Read(ImageFormat::Gif)),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
            Some(Kind::Read(ImageFormat::WebP))
        }
        [a, b, c, d, b'f', b't', b'y', b'p', rest @ ..] => {
            brand(u32::from_be_bytes([*a, *b, *c, *d]), rest).map(Kind::Named)
        }
        // 43 is BigTIFF.
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => Some(Kind::Named("TIFF")),
        // Two reserved words of zero, and a header of a length that there is.
        [b'B', b'M', _, _, _, _, 0, 0, 0, 0, _, _, _, _, 12 | 40 | 52 | 56 | 64 | 108 | 124, 0, 0, 0, ..] => {
            Some(Kind::Named("BMP"))
        }
        _ if is_svg(bytes) => Some(Kind::Named("SVG")),
        _ => None,
    }
}

/// The image format among the brands of a `ftyp` box (ISO 14496-12) of `size` bytes, which videos have as
/// well.
fn brand(size: u32, brands: &[u8]) -> Option<&'static str> {
    let length = usize::try_from(size).ok()?.checked_sub(8)?;
    let brands = brands.get(..length).unwrap_or(brands);
    let has =
        |wanted: &[&[u8; 4]]| brands.chunks_exact(4).any(|brand| wanted.iter().any(|one| *one == brand));
    if has(&[b"avif", b"avis"]) {
        return Some("AVIF");
    }
    has(&[b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"]).then_some("HEIC")
}

/// Whether the root element is `svg`: an HTML page with an SVG in it is none.
fn is_svg(bytes: &[u8]) -> bool {
    let head = bytes.get(..4096).unwrap_or(bytes);
    let mut rest = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = match rest {
            [b'<', b's', b'v', b'g', next, ..] => {
                return matches!(next, b'>' | b'/' | b':') || next.is_ascii_whitespace();
            }
            [b'<', b'?', ..] => b"?>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            _ => return rest.starts_with(b"<!DOCTYPE svg"),
        };
        let Some(after) = memchr::memmem::find(rest, end).and_then(|at| rest.get(at + end.len()..)) else {
            return false;
        };
        rest = after;
    }
}

/// The pixels, upright.
fn decode(bytes: &[u8], format: ImageFormat) -> Result<DynamicImage, PictureError> {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(DECODED_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    // The decoders count what they need beside the pixels, and some not even that.
    if u64::from(width) * u64::from(height) > PIXELS || decoder.total_bytes() > DECODED_BYTES {
        return Err(PictureError::TooLarge);
    }
    if width == 0 || height == 0 {
        return Err(PictureError::Damaged("it has no pixels".to_owned()));
    }
    let orientation = decoder.orientation()?;
    let mut image = DynamicImage::from_decoder(decoder)?;
    image.apply_orientation(orientation);
    Ok(image)
}

/// Whether a PNG has only chunks that say how its pixels look, and ends where it ends.
fn is_bare_png(bytes: &[u8]) -> bool {
    let mut rest = bytes.get(8..).unwrap_or_default();
    while let Some(([a, b, c, d, name @ ..], after)) = rest.split_first_chunk::<8>() {
        // Behind the data are four bytes of checksum.
        let length = usize::try_from(u32::from_be_bytes([*a, *b, *c, *d])).unwrap_or(usize::MAX);
        let Some(next) = length.checked_add(4).and_then(|length| after.get(length..)) else {
            return false;
        };
        match name {
            b"IEND" => return length == 0 && next.is_empty(),
            b"IHDR" | b"PLTE" | b"IDAT" | b"tRNS" | b"gAMA" | b"cHRM" | b"sRGB" | b"sBIT" | b"bKGD"
            | b"pHYs" => {}
            _ => return false,
        }
        rest = next;
    }
    false
}

/// Whether a JPEG has only segments that say how its pixels look, and ends where it ends.
fn is_bare_jpeg(bytes: &[u8]) -> bool {
    let mut rest = bytes.get(2..).unwrap_or_default();
    while let [0xff, marker, after @ ..] = rest {
        if *marker == 0xd9 {
            return after.is_empty();
        }
        let [a, b, ..] = after else {
            return false;
        };
        let Some((segment, next)) = after.split_at_checked(usize::from(u16::from_be_bytes([*a, *b]))) else {
            return false;
        };
        let known = match (*marker, segment) {
            // JFIF without a thumbnail, and the colour model that Adobe notes.
            (0xe0, [_, _, b'J', b'F', b'I', b'F', 0, ..]) => segment.len() == 16,
            (0xee, [_, _, b'A', b'd', b'o', b'b', b'e', ..]) => segment.len() == 14,
            // Frames, entropy tables, scans, quantisation, lines, restarts; 0xc8 is an extension.
            (0xc0..=0xc7 | 0xc9..=0xcf | 0xda..=0xdd, [_, _, ..]) => true,
            _ => false,
        };
        if !known {
            return false;
        }
        rest = if *marker == 0xda { after_scan(next) } else { next };
    }
    false
}

/// What follows the entropy-coded data of a scan: in it 0xff stands before 0 or a restart marker only.
fn after_scan(data: &[u8]) -> &[u8] {
    let end = memchr::memchr_iter(0xff, data)
        .find(|at| !matches!(data.get(at + 1), Some(0 | 0xd0..=0xd7)))
        .unwrap_or(data.len());
    data.get(end..).unwrap_or_default()
}

/// The image in eight bits a channel, without an alpha that hides nothing, and not larger than is sent.
fn shrunk(image: DynamicImage) -> DynamicImage {
    let mut image = match image {
        image if image.color().has_alpha() => {
            let image = image.into_rgba8();
            if image.pixels().all(|Rgba([_, _, _, alpha])| *alpha == u8::MAX) {
                DynamicImage::from(image).into_rgb8().into()
            } else {
                image.into()
            }
        }
        image if image.color().has_color() => image.into_rgb8().into(),
        image => DynamicImage::from(image.into_luma8()),
    };
    let slow = LONGEST_SIDE * SLOW_SIDES;
    if image.width().max(image.height()) > slow * 2 {
        image = image.thumbnail(slow, slow);
    }
    if image.width().max(image.height()) > LONGEST_SIDE {
        image = image.resize(LONGEST_SIDE, LONGEST_SIDE, FilterType::CatmullRom);
    }
    image
}

/// As PNG what has alpha or came without loss, as long as that is small enough; else as JPEG.
fn encode(image: &DynamicImage, lossless: bool) -> Result<Picture, PictureError> {
    let alpha = image.color().has_alpha();
    if alpha || lossless {
        let mut png = Cursor::new(Vec::new());
        image.write_to(&mut png, ImageFormat::Png)?;
        if png.get_ref().len() <= if alpha { ALPHA_BYTES } else { SENT_BYTES } {
            return Ok(sent("image/png", png.get_ref(), image));
        }
    }
    let mut jpeg = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY);
    if alpha {
        on_white(image).write_with_encoder(encoder)?;
    } else {
        image.write_with_encoder(encoder)?;
    }
    Ok(sent("image/jpeg", &jpeg, image))
}

fn on_white(image: &DynamicImage) -> DynamicImage {
    let mut paper = RgbaImage::from_pixel(image.width(), image.height(), Rgba([u8::MAX; 4]));
    imageops::overlay(&mut paper, image, 0, 0);
    DynamicImage::from(paper).into_rgb8().into()
}

fn sent(media_type: &'static str, file: &[u8], image: &DynamicImage) -> Picture {
    Picture { media_type, base64: STANDARD.encode(file), width: image.width(), height: image.height() }
}

#[cfg(test)]
mod tests {
    use image::codecs::gif::GifEncoder;
    use image::codecs::png::PngEncoder;
    use image::codecs::webp::WebPEncoder;
    use image::{ExtendedColorType, Frame, ImageEncoder, Rgb, RgbImage};
    use proptest::prelude::{ProptestConfig, any, prop_assert, proptest};

    use super::*;

    const RED: [u8; 3] = [220, 20, 20];
    const GREEN: [u8; 3] = [20, 220, 20];
    const BLUE: [u8; 3] = [20, 20, 220];
    const GREY: [u8; 3] = [120, 120, 120];
    const PLACE: &[u8] = b"52.5200N 13.4050E";

    /// Four quarters: red and green above, blue and grey below.
    fn quarters(width: u32, height: u32) -> RgbImage {
        RgbImage::from_fn(width, height, |x, y| match (x * 2 < width, y * 2 < height) {
            (true, true) => Rgb(RED),
            (false, true) => Rgb(GREEN),
            (true, false) => Rgb(BLUE),
            (false, false) => Rgb(GREY),
        })
    }

    fn noise(width: u32, height: u32) -> RgbaImage {
        let mut state = 1_u32;
        RgbaImage::from_fn(width, height, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Rgba(state.rotate_left(13).to_be_bytes())
        })
    }

    /// A TIFF directory of two entries: the maker, whose text stands for a place, and the orientation.
    fn exif(orientation: u8) -> Vec<u8> {
        let mut exif = b"II\x2a\0\x08\0\0\0\x02\0\x0f\x01\x02\0".to_vec();
        exif.extend([u8::try_from(PLACE.len()).unwrap(), 0, 0, 0, 38, 0, 0, 0]);
        exif.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]);
        exif.extend(PLACE);
        exif
    }

    fn written(mut encoder: impl ImageEncoder, image: &RgbImage, exif: Option<Vec<u8>>) {
        if let Some(exif) = exif {
            encoder.set_exif_metadata(exif).unwrap();
        }
        encoder.write_image(image, image.width(), image.height(), ExtendedColorType::Rgb8).unwrap();
    }

    fn jpeg(image: &RgbImage, exif: Option<Vec<u8>>) -> Vec<u8> {
        let mut file = Vec::new();
        written(JpegEncoder::new_with_quality(&mut file, 95), image, exif);
        file
    }

    fn png(image: &RgbImage, exif: Option<Vec<u8>>) -> Vec<u8> {
        let mut file = Vec::new();
        written(PngEncoder::new(&mut file), image, exif);
        file
    }

    fn webp(image: &RgbImage, exif: Option<Vec<u8>>) -> Vec<u8> {
        let mut file = Vec::new();
        written(WebPEncoder::new_lossless(&mut file), image, exif);
        file
    }

    fn gif(images: &[RgbaImage]) -> Vec<u8> {
        let mut file = Vec::new();
        GifEncoder::new(&mut file).encode_frames(images.iter().cloned().map(Frame::new)).unwrap();
        file
    }

    fn png_of(image: &DynamicImage) -> Vec<u8> {
        let mut file = Cursor::new(Vec::new());
        image.write_to(&mut file, ImageFormat::Png).unwrap();
        file.into_inner()
    }

    fn file(picture: &Picture) -> Vec<u8> {
        STANDARD.decode(&picture.base64).unwrap()
    }

    /// The image that is sent, after what must hold for each has been looked at.
    fn check(bytes: &[u8], media_type: &str) -> DynamicImage {
        let picture = picture(bytes).unwrap();
        let file = file(&picture);
        let format = if media_type == "image/png" { ImageFormat::Png } else { ImageFormat::Jpeg };
        let image = image::load_from_memory_with_format(&file, format).unwrap();
        assert_eq!(picture.media_type, media_type);
        assert_eq!((picture.width, picture.height), (image.width(), image.height()));
        assert!(picture.width.max(picture.height) <= LONGEST_SIDE);
        assert!(memchr::memmem::find(&file, PLACE).is_none(), "the place is sent");
        image
    }

    /// The colours of the middles of the quarters.
    fn corners(image: &DynamicImage) -> [[u8; 3]; 4] {
        let image = image.to_rgb8();
        let (width, height) = image.dimensions();
        [(1, 1), (3, 1), (1, 3), (3, 3)].map(|(x, y)| {
            let Rgb(found) = *image.get_pixel(width * x / 4, height * y / 4);
            let near = |wanted: &[u8; 3]| found.iter().zip(wanted).all(|(a, b)| a.abs_diff(*b) < 25);
            [RED, GREEN, BLUE, GREY].into_iter().find(near).unwrap_or(found)
        })
    }

    #[test]
    fn a_small_bare_file_is_sent_as_it_is() {
        for bytes in [png(&quarters(40, 20), None), jpeg(&quarters(40, 20), None)] {
            assert_eq!(file(&picture(&bytes).unwrap()), bytes);
        }
    }

    #[test]
    fn orientation_is_applied_and_exif_is_not_sent() {
        let turned = [
            (1, [RED, GREEN, BLUE, GREY]),
            (2, [GREEN, RED, GREY, BLUE]),
            (3, [GREY, BLUE, GREEN, RED]),
            (4, [BLUE, GREY, RED, GREEN]),
            (5, [RED, BLUE, GREEN, GREY]),
            (6, [BLUE, RED, GREY, GREEN]),
            (7, [GREY, GREEN, BLUE, RED]),
            (8, [GREEN, GREY, RED, BLUE]),
            (99, [RED, GREEN, BLUE, GREY]),
        ];
        let image = quarters(64, 32);
        for (orientation, colours) in turned {
            let files = [
                (jpeg(&image, Some(exif(orientation))), "image/jpeg"),
                (png(&image, Some(exif(orientation))), "image/png"),
                (webp(&image, Some(exif(orientation))), "image/jpeg"),
            ];
            for (bytes, media_type) in files {
                assert!(memchr::memmem::find(&bytes, PLACE).is_some());
                let sent = check(&bytes, media_type);
                let sides = if matches!(orientation, 5..=8) { (32, 64) } else { (64, 32) };
                assert_eq!((sent.width(), sent.height()), sides, "orientation {orientation}");
                assert_eq!(corners(&sent), colours, "orientation {orientation}");
            }
        }
    }

    #[test]
    fn what_is_not_pixels_is_not_sent() {
        let length = u8::try_from(PLACE.len()).unwrap();
        for marker in [0xe1, 0xe2, 0xed, 0xef, 0xfe] {
            let mut bytes = jpeg(&quarters(40, 20), None);
            let segment = [&[0xff, marker, 0, length + 2], PLACE].concat();
            bytes.splice(2..2, segment);
            check(&bytes, "image/jpeg");
        }
        // The decoder looks at no checksum of a chunk that it does not need.
        let mut bytes = png(&quarters(40, 20), None);
        bytes.splice(33..33, [&[0, 0, 0, length], b"tEXt".as_slice(), PLACE, &[0; 4]].concat());
        check(&bytes, "image/png");
        check(&[&png(&quarters(40, 20), None), PLACE].concat(), "image/png");
        check(&[&jpeg(&quarters(40, 20), None), PLACE].concat(), "image/jpeg");
    }

    #[test]
    fn the_longest_side_is_held() {
        let files = [
            (jpeg(&quarters(1600, 800), None), "image/jpeg", (1568, 784)),
            (png(&quarters(400, 1600), None), "image/png", (392, 1568)),
            (png(&quarters(7000, 4), None), "image/png", (1568, 1)),
            (webp(&quarters(800, 1600), None), "image/jpeg", (784, 1568)),
        ];
        for (bytes, media_type, sides) in files {
            let sent = check(&bytes, media_type);
            assert_eq!((sent.width(), sent.height()), sides);
        }
        assert_eq!(corners(&check(&png(&quarters(7000, 3500), None), "image/png")), [RED, GREEN, BLUE, GREY]);
    }

    #[test]
    fn alpha_stays_if_it_shows() {
        let clear = DynamicImage::from(RgbaImage::from_pixel(1600, 8, Rgba([10, 200, 10, 100])));
        let sent = check(&png_of(&clear), "image/png").to_rgba8();
        assert_eq!(sent.get_pixel(784, 4), &Rgba([10, 200, 10, 100]));
        let solid = DynamicImage::from(RgbaImage::from_pixel(1600, 8, Rgba([10, 200, 10, 255])));
        assert!(!check(&png_of(&solid), "image/png").color().has_alpha());
        // Too much for a PNG, so on white.
        check(&png_of(&noise(1200, 1200).into()), "image/jpeg");
        check(&png_of(&DynamicImage::from(noise(900, 900)).into_rgb16().into()), "image/jpeg");
    }

    #[test]
    fn of_a_gif_the_first_frame_is_sent() {
        let frame = |colour| RgbaImage::from_pixel(9, 7, Rgba(colour));
        let sent = check(&gif(&[frame([220, 20, 20, 255]), frame([20, 220, 20, 255])]), "image/png");
        assert_eq!(corners(&sent), [RED; 4]);
    }

    #[test]
    fn a_bomb_is_too_large() {
        let mut wide = png(&quarters(40, 20), None);
        let header: Vec<u8> =
            [b"IHDR".as_slice(), &50_000_u32.to_be_bytes(), &50_000_u32.to_be_bytes(), &[8, 2, 0, 0, 0]]
                .concat();
        let sum = !header.iter().fold(u32::MAX, |sum, byte| {
            (0..8)
                .fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
        });
        wide.splice(12..33, [header.as_slice(), &sum.to_be_bytes()].concat());
        assert_eq!(picture(&wide), Err(PictureError::TooLarge));

        let mut wide = jpeg(&quarters(40, 20), None);
        let frame = memchr::memmem::find(&wide, &[0xff, 0xc0]).unwrap();
        wide.splice(frame + 5..frame + 9, [0xff; 4]);
        assert_eq!(picture(&wide), Err(PictureError::TooLarge));

        let mut wide = gif(&[RgbaImage::from_pixel(9, 7, Rgba([1, 2, 3, 255]))]);
        wide.splice(6..10, [0xff; 4]);
        assert_eq!(picture(&wide), Err(PictureError::TooLarge));

        // VP8L: 14 bits of width and 14 of height behind a byte of signature.
        let mut wide = webp(&quarters(40, 20), None);
        wide.splice(21..25, [0xfe, 0xbf, 0xff, 0x0f]);
        assert_eq!(picture(&wide), Err(PictureError::TooLarge));

        assert_eq!(
            picture(&[b"\xff\xd8\xff".as_slice(), &vec![0; FILE_BYTES]].concat()),
            Err(PictureError::TooLarge)
        );
    }

    #[test]
    fn other_formats_are_named() {
        let bmp = [b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".as_slice(), &[0; 40]].concat();
        let named: [(&[u8], &str); 11] = [
            (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC"),
            (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", "AVIF"),
            (b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf", "AVIF"),
            (b"II\x2a\0\x08\0\0\0", "TIFF"),
            (b"MM\0\x2a\0\0\0\x08", "TIFF"),
            (&bmp, "BMP"),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
            (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- one -->\n<svg>", "SVG"),
            (b"<?xml version='1.0'?><!DOCTYPE svg PUBLIC '' ''>", "SVG"),
            (b"\n<svg\n  width='3'>", "SVG"),
            (b"<svg:svg>", "SVG"),
        ];
        for (bytes, name) in named {
            assert!(is_image(bytes));
            assert_eq!(picture(bytes), Err(PictureError::Unsupported(name)));
        }
    }

    #[test]
    fn what_is_no_image_is_not_taken_for_one() {
        let others: [&[u8]; 12] = [
            b"",
            b"BMW is a maker of cars, and this is a text",
            b"GIF89 is a format",
            b"MM, said she",
            b"RIFF\0\0\0\0WAVEfmt ",
            b"\0\0\0\x18ftypisom\0\0\0\0isommp41",
            b"\0\0\0\x04ftypheic",
            b"<html><svg></svg></html>",
            b"<svgalib>",
            b"<?xml",
            b"%PDF-1.7",
            b"\x89PNG",
        ];
        for bytes in others {
            assert!(!is_image(bytes), "{bytes:?}");
            assert_eq!(picture(bytes), Err(PictureError::NotAnImage));
        }
    }

    #[test]
    fn a_torn_file_is_damaged_or_sent_anew() {
        let files = [
            png(&quarters(40, 20), Some(exif(6))),
            jpeg(&quarters(40, 20), Some(exif(6))),
            webp(&quarters(40, 20), Some(exif(6))),
            gif(&[noise(20, 20), noise(20, 20)]),
        ];
        for bytes in files {
            for end in 0..bytes.len() {
                let torn = bytes.get(..end).unwrap();
                if let Ok(picture) = picture(torn) {
                    assert_ne!(file(&picture), torn);
                }
            }
        }
        assert!(matches!(picture(b"\xff\xd8\xff\xe0"), Err(PictureError::Damaged(_))));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn no_bytes_panic(
            which in 0..4_usize,
            changes in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..6),
        ) {
            let image = quarters(24, 17);
            let mut bytes = match which {
                0 => png(&image, Some(exif(6))),
                1 => jpeg(&image, Some(exif(6))),
                2 => webp(&image, Some(exif(6))),
                _ => gif(&[noise(20, 20), noise(20, 20)]),
            };
            for (at, byte) in changes {
                let at = at % bytes.len();
                if let Some(place) = bytes.get_mut(at) {
                    *place = byte;
                }
            }
            if let Ok(picture) = picture(&bytes) {
                prop_assert!(picture.width.max(picture.height) <= LONGEST_SIDE);
            }
        }
    }
}
