# Homebrew formula: builds from the tarball of a release, whose address and hash stand here then.
class Ridgeline < Formula
  desc "Hardware that a machine learning workload needs, with cost, time and reasons"
  homepage "https://ridgeline.invalid"
  url "https://ridgeline.invalid/ridgeline-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "cmake" => :build
  depends_on "cli11" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "boost" => :build
  depends_on "tl-expected" => :build
  depends_on "tomlplusplus" => :build
  depends_on "fmt"
  depends_on "xz"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DRIDGELINE_CUDA=OFF",
           "-DBUILD_TESTING=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "H100", shell_output("#{bin}/ridgeline catalog show h100-sxm5-80gb")
  end
end
