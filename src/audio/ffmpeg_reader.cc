#include "audio/ffmpeg_reader.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/samplefmt.h>
}

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>

#include "audio/decode.h"
#include "base/check.h"

namespace timbre::audio {
namespace {

using Clock = std::chrono::steady_clock;

constexpr char kContainers[] =
    "wav,w64,aiff,au,caf,flac,mp3,aac,mov,mp4,m4a,3gp,3g2,ogg,matroska,webm,amr";
constexpr char kDecoders[] =
    "pcm_u8,pcm_s8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,"
    "pcm_f64le,pcm_f64be,pcm_mulaw,pcm_alaw,adpcm_ms,adpcm_ima_wav,mp3float,mp3,aac,alac,flac,opus,"
    "libopus,vorbis,libvorbis,amrnb,amrwb";
constexpr int kMinRate = 4000;
constexpr int kMaxRate = 192000;
constexpr int kMaxChannels = 32;
constexpr int kMaxStreams = 16;
constexpr int kMaxFrameSamples = 1 << 20;
constexpr int kIoBufferSize = 1 << 15;
// So many packets in a row without a sample: the file only wastes time.
constexpr int kMaxFruitlessPackets = 4000;
// A size field near these is what a writer leaves that could not know the length.
constexpr double kPlaceholderBytes = 0x7FF00000;

struct FormatDelete {
  void operator()(AVFormatContext* p) const { avformat_close_input(&p); }
};
struct IoDelete {
  void operator()(AVIOContext* p) const {
    av_freep(&p->buffer);
    avio_context_free(&p);
  }
};
struct CodecDelete {
  void operator()(AVCodecContext* p) const { avcodec_free_context(&p); }
};
struct FrameDelete {
  void operator()(AVFrame* p) const { av_frame_free(&p); }
};
struct PacketDelete {
  void operator()(AVPacket* p) const { av_packet_free(&p); }
};

void SilenceFfmpeg() {
  static std::once_flag once;
  std::call_once(once, [] {
    av_log_set_level(AV_LOG_QUIET);
    av_log_set_callback([](void*, int, const char*, va_list) {});
  });
}

struct MemoryFile {
  std::span<const std::uint8_t> bytes;
  Clock::time_point deadline;
  std::int64_t position = 0;

  static int Read(void* opaque, std::uint8_t* buffer, int size) {
    auto& file = *static_cast<MemoryFile*>(opaque);
    if (Clock::now() > file.deadline) return AVERROR_EXIT;  // ends any loop of a demuxer
    const std::int64_t left = static_cast<std::int64_t>(file.bytes.size()) - file.position;
    const std::int64_t count = std::min<std::int64_t>(left, size);
    if (count <= 0) return AVERROR_EOF;
    std::memcpy(buffer, file.bytes.data() + file.position, static_cast<std::size_t>(count));
    file.position += count;
    return static_cast<int>(count);
  }

  static std::int64_t Seek(void* opaque, std::int64_t offset, int whence) {
    auto& file = *static_cast<MemoryFile*>(opaque);
    const auto size = static_cast<std::int64_t>(file.bytes.size());
    whence &= ~AVSEEK_FORCE;
    if (whence == AVSEEK_SIZE) return size;
    std::int64_t base = 0;
    if (whence == SEEK_CUR) base = file.position;
    if (whence == SEEK_END) base = size;
    if (offset < -base || offset > size - base) return AVERROR(EINVAL);
    return file.position = base + offset;
  }
};

int RefuseToOpen(AVFormatContext*, AVIOContext**, const char*, int, AVDictionary**) {
  return AVERROR(EPERM);
}

std::unexpected<Error> Unsupported() {
  return Fail(ErrorCode::kUnsupported, "audio_unsupported",
              "The file is not a recording in a format that is read here: {}.", AcceptedFormats());
}

std::unexpected<Error> Damaged() {
  return Fail(ErrorCode::kCorrupt, "audio_damaged", "The recording is damaged and cannot be read.");
}

std::unexpected<Error> Slow() {
  return Fail(ErrorCode::kDeadlineExceeded, "audio_decode_slow",
              "The recording takes longer to read than it may.");
}

// Adds the mean over channels of `count` samples, each times `scale` plus `offset`.
template <typename Sample>
void AppendMean(const AVFrame& frame, int channels, bool planar, double scale, double offset,
                std::vector<float>& mono) {
  const auto count = static_cast<std::size_t>(frame.nb_samples);
  const std::size_t begin = mono.size();
  mono.resize(begin + count);
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0.0;
    for (int channel = 0; channel < channels; ++channel) {
      const auto* plane =
          reinterpret_cast<const Sample*>(frame.extended_data[planar ? channel : 0]);
      const std::size_t at =
          planar ? i : i * static_cast<std::size_t>(channels) + static_cast<std::size_t>(channel);
      sum += static_cast<double>(plane[at]) + offset;
    }
    mono[begin + i] = static_cast<float>(sum / channels * scale);
  }
}

bool AppendFrame(const AVFrame& frame, int channels, std::vector<float>& mono) {
  const auto format = static_cast<AVSampleFormat>(frame.format);
  const bool planar = av_sample_fmt_is_planar(format) != 0;
  switch (av_get_packed_sample_fmt(format)) {
    case AV_SAMPLE_FMT_U8:
      AppendMean<std::uint8_t>(frame, channels, planar, 1.0 / 128, -128.0, mono);
      return true;
    case AV_SAMPLE_FMT_S16:
      AppendMean<std::int16_t>(frame, channels, planar, 1.0 / 32768, 0.0, mono);
      return true;
    case AV_SAMPLE_FMT_S32:
      AppendMean<std::int32_t>(frame, channels, planar, 1.0 / 2147483648.0, 0.0, mono);
      return true;
    case AV_SAMPLE_FMT_S64:
      AppendMean<std::int64_t>(frame, channels, planar, 1.0 / 9223372036854775808.0, 0.0, mono);
      return true;
    case AV_SAMPLE_FMT_FLT:
      AppendMean<float>(frame, channels, planar, 1.0, 0.0, mono);
      return true;
    case AV_SAMPLE_FMT_DBL:
      AppendMean<double>(frame, channels, planar, 1.0, 0.0, mono);
      return true;
    default:
      return false;
  }
}

class Reader final : public FfmpegReader {
 public:
  Reader(std::span<const std::uint8_t> bytes, double max_decode_seconds)
      : file_{bytes, Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(max_decode_seconds))} {}

  Result<void> OpenContainer() {
    auto* buffer = static_cast<unsigned char*>(av_malloc(kIoBufferSize));
    TIMBRE_CHECK(buffer != nullptr);
    io_.reset(avio_alloc_context(buffer, kIoBufferSize, 0, &file_, MemoryFile::Read, nullptr,
                                 MemoryFile::Seek));
    TIMBRE_CHECK(io_ != nullptr);
    const AVInputFormat* format = nullptr;
    if (av_probe_input_buffer2(io_.get(), &format, "", nullptr, 0, 0) < 0 || format == nullptr ||
        av_match_list(format->name, kContainers, ',') == 0) {
      return SlowOr(Unsupported());
    }
    container = format->name;

    AVFormatContext* context = avformat_alloc_context();
    TIMBRE_CHECK(context != nullptr);
    context->pb = io_.get();
    context->flags |= AVFMT_FLAG_CUSTOM_IO;
    context->io_open = RefuseToOpen;
    context->interrupt_callback = {OutOfTime, this};
    context->max_streams = kMaxStreams;
    context->format_whitelist = av_strdup(kContainers);
    context->codec_whitelist = av_strdup(kDecoders);
    context->protocol_whitelist = av_strdup("");
    // On failure FFmpeg frees the context itself.
    if (avformat_open_input(&context, "", format, nullptr) < 0) return SlowOr(Damaged());
    format_.reset(context);
    KeepAudioOnly();
    if (avformat_find_stream_info(context, nullptr) < 0) return SlowOr(Damaged());
    KeepAudioOnly();
    return {};
  }

  Result<void> OpenDecoder() {
    stream_ = av_find_best_stream(format_.get(), AVMEDIA_TYPE_AUDIO, -1, -1, nullptr, 0);
    if (stream_ < 0) {
      return Fail(ErrorCode::kUnsupported, "audio_unsupported",
                  "The file holds no sound; these are read: {}.", AcceptedFormats());
    }
    const AVStream& stream = *format_->streams[stream_];
    const AVCodec* decoder = avcodec_find_decoder(stream.codecpar->codec_id);
    if (decoder == nullptr || av_match_name(decoder->name, kDecoders) == 0) return Unsupported();
    codec = decoder->name;
    decoder_.reset(avcodec_alloc_context3(decoder));
    TIMBRE_CHECK(decoder_ != nullptr);
    if (avcodec_parameters_to_context(decoder_.get(), stream.codecpar) < 0) return Damaged();
    decoder_->pkt_timebase = stream.time_base;  // lets the decoder cut the encoder's padding
    decoder_->thread_count = 1;
    decoder_->max_samples = kMaxFrameSamples;
    if (avcodec_open2(decoder_.get(), decoder, nullptr) < 0) return Damaged();
    bytes_per_second = static_cast<double>(stream.codecpar->bit_rate) / 8;
    if (format_->duration_estimation_method == AVFMT_DURATION_FROM_STREAM &&
        stream.duration != AV_NOPTS_VALUE) {
      const double seconds = static_cast<double>(stream.duration) * av_q2d(stream.time_base);
      if (seconds * bytes_per_second < kPlaceholderBytes) declared_seconds = seconds;
    }
    return {};
  }

  Result<bool> Read(std::vector<float>& mono) override {
    int fruitless = 0;
    for (;;) {
      const int got = avcodec_receive_frame(decoder_.get(), frame_.get());
      if (got == 0) {
        const std::size_t before = mono.size();
        const Result<bool> taken = TakeFrame(mono);
        if (!taken || !*taken || mono.size() > before) return taken;
      } else {
        if (OutOfTime(this) != 0) return Slow();
        if (got == AVERROR_EOF) return false;
        if (got != AVERROR(EAGAIN)) ++damaged_packets;
        if (++fruitless > kMaxFruitlessPackets) return false;
        SendPacket();
      }
    }
  }

 private:
  static int OutOfTime(void* self) {
    return Clock::now() > static_cast<Reader*>(self)->file_.deadline ? 1 : 0;
  }

  std::unexpected<Error> SlowOr(std::unexpected<Error> other) {
    return OutOfTime(this) != 0 ? Slow() : std::move(other);
  }

  void KeepAudioOnly() {
    for (unsigned i = 0; i < format_->nb_streams; ++i) {
      AVStream& stream = *format_->streams[i];
      if (stream.codecpar->codec_type != AVMEDIA_TYPE_AUDIO) stream.discard = AVDISCARD_ALL;
    }
  }

  // Feeds the decoder one packet of our stream, or tells it that there are no more.
  void SendPacket() {
    int read = 0;
    do {
      av_packet_unref(packet_.get());
      read = av_read_frame(format_.get(), packet_.get());
    } while (read >= 0 && packet_->stream_index != stream_ && OutOfTime(this) == 0);
    if (read < 0 || packet_->stream_index != stream_) {
      if (read != AVERROR_EOF) ++damaged_packets;
      avcodec_send_packet(decoder_.get(), nullptr);
      return;
    }
    if (avcodec_send_packet(decoder_.get(), packet_.get()) < 0) ++damaged_packets;
    av_packet_unref(packet_.get());
  }

  Result<bool> TakeFrame(std::vector<float>& mono) {
    const int frame_channels = frame_->ch_layout.nb_channels;
    if (sample_rate == 0) {
      if (frame_->sample_rate < kMinRate || frame_->sample_rate > kMaxRate || frame_channels < 1 ||
          frame_channels > kMaxChannels) {
        return Fail(ErrorCode::kUnsupported, "audio_unsupported",
                    "The recording has {} Hz and {} channels; {} to {} Hz and at most {} channels "
                    "are read.",
                    frame_->sample_rate, frame_channels, kMinRate, kMaxRate, kMaxChannels);
      }
      sample_rate = frame_->sample_rate;
      channels = frame_channels;
    }
    if (frame_->sample_rate != sample_rate || frame_channels < 1 || frame_channels > kMaxChannels) {
      ended_by_format_change = true;
      return false;
    }
    if (!AppendFrame(*frame_, frame_channels, mono)) return Unsupported();
    return true;
  }

  MemoryFile file_;
  std::unique_ptr<AVIOContext, IoDelete> io_;
  std::unique_ptr<AVFormatContext, FormatDelete> format_;
  std::unique_ptr<AVCodecContext, CodecDelete> decoder_;
  std::unique_ptr<AVFrame, FrameDelete> frame_{av_frame_alloc()};
  std::unique_ptr<AVPacket, PacketDelete> packet_{av_packet_alloc()};
  int stream_ = -1;
};

}  // namespace

Result<std::unique_ptr<FfmpegReader>> FfmpegReader::Open(std::span<const std::uint8_t> bytes,
                                                         double max_decode_seconds) {
  SilenceFfmpeg();
  auto reader = std::make_unique<Reader>(bytes, max_decode_seconds);
  TIMBRE_TRY(reader->OpenContainer());
  TIMBRE_TRY(reader->OpenDecoder());
  return reader;
}

}  // namespace timbre::audio
